/** Creates the folder of a file. */
import { dirname } from 'node:path';
import { unavailable } from '../base/errors';
import { makeFolders } from '../base/make-folders';
import { quoted } from '../base/text';

/** Makes the folder of a file, and those above it. @throws SvcError unavailable */
export function makeFolder(path: string): void {
  const folder = dirname(path);
  try {
    makeFolders(folder);
  } catch {
    throw unavailable(
      `The folder ${quoted(folder)} for the store cannot be made or written`,
      'Give this user the right to write there, or set SVC_MEMORY_DB to another file',
    );
  }
}
