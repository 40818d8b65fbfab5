/** The version of the extraction. */
import { version } from '../../../package.json';

/** Goes up when grammars, queries or what is taken from a source change: then every file is read again. */
export const EXTRACTION = '16';

/** What may take apart what another one left out. */
export const PROGRAM = `${version} ${EXTRACTION}`;
