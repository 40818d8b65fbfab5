/** Writes the `.gitignore` that keeps a store out of Git. */
import { basename, dirname, join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import type { Log } from '../base/log';
import { readRegularFile, whyUnread } from '../base/regular-file';
import { replaceFile } from '../base/replace-file';

/** What may be shared stays visible: the settings, and memories that people share. */
const OURS = '*\n!config.yaml\n!memories/\n!memories/**\n';
/** As 0.1.0 wrote it. */
const OUR_OLD = '*.db*\n';
/** A line that keeps the store out. */
const ENOUGH = /^(?:\*|\/?\*\.db\*?|\/?memory\.db\*?)$/;
/** What a file of people gets. */
const ADDED = '*.db*\n';
const MAX_BYTES = 64 * 1024;

/**
 * Keeps a `.svc/` folder out of version control. Called before a file in it is written, never by a reader. A
 * `.gitignore` that people wrote keeps its lines.
 * @param path of a file in the folder
 */
export function keepOutOfGit(path: string, log: Log): void {
  const folder = dirname(path);
  if (basename(folder) !== STORE_FOLDER) return;
  const file = join(folder, '.gitignore');
  const read = readRegularFile(file, { max: MAX_BYTES, links: 'refused' });
  if (!read.bytes && read.why !== 'missing') {
    log(`${whyUnread(file, read)}, and was left as it is: keep the store out of version control yourself`);
    return;
  }
  const text = read.bytes?.toString('utf8') ?? '';
  if (text === OURS || (text !== OUR_OLD && text.split(/\r?\n/).some((line) => ENOUGH.test(line.trim())))) return;
  const isOurs = text === '' || text === OUR_OLD;
  try {
    replaceFile(folder, file, isOurs ? OURS : `${text}${text.endsWith('\n') ? '' : '\n'}${ADDED}`);
  } catch {
    // The next write into the folder reports that it cannot be written.
  }
}
