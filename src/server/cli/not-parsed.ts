/** Lists the files that could not be parsed. */
import { oneLine } from '../base/text';

/** At most this many left-out files are listed without --verbose. */
const MOST = 10;

interface NamedFile {
  readonly path: string;
  readonly reason: string;
}

export function namedLines(files: readonly NamedFile[]): string[] {
  return files.map(({ path, reason }) => `  ${oneLine(path)}: ${reason}`);
}

/** @param more says how to get the names of all */
export function describeNotParsed(files: readonly NamedFile[], more: string): string[] {
  return [...namedLines(files.slice(0, MOST)), ...(files.length > MOST ? [`  … and more; ${more} names them.`] : [])];
}
