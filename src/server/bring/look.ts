/** Reads files of a folder that somebody else may have filled. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile, whyUnread } from '../base/regular-file';
import { shownPath } from '../base/text';

/** In bytes: what people write by hand is far smaller. */
const MAX_FILE_BYTES = 1_000_000;
/** The files of one source. */
const MAX_FILES = 2_000;
/** Folders that are looked into for one source. */
const MAX_FOLDERS = 500;

/** A file that was read. */
export interface FoundFile {
  /** Relative to the folder that was asked, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What was asked for. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Each a sentence without its end. */
  readonly unread: readonly string[];
}

/**
 * The paths of files below a folder, sorted, without links.
 * @param inner whether folders in it are looked into
 */
export function pathsIn(root: string, folder: string, pattern: RegExp, inner = false): string[] {
  const paths: string[] = [];
  const waiting = [folder];
  for (let looked = 0; looked < MAX_FOLDERS; looked++) {
    const next = waiting.shift();
    if (next === undefined || paths.length > MAX_FILES) break;
    for (const entry of entriesOf(join(root, next))) {
      const path = next === '' ? entry.name : `${next}/${entry.name}`;
      if (entry.isFile() && pattern.test(entry.name)) paths.push(path);
      if (inner && entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') waiting.push(path);
    }
  }
  return paths.sort().slice(0, MAX_FILES);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Reads files of a folder, and none that a link leads out of it to. */
export function readFiles(root: string, paths: readonly string[]): FoundFiles {
  const files: FoundFile[] = [];
  const unread: string[] = [];
  for (const path of paths) {
    const read = readRegularFile(join(root, path), { max: MAX_FILE_BYTES, links: { inside: root } });
    if (read.bytes) files.push({ path, text: textOf(read.bytes) });
    else if (read.why !== 'missing') unread.push(whyUnread(shownPath(path), read));
  }
  return { files, unread };
}

/** Whether there is a regular file in the folder, or a folder. */
export function isThere(root: string, path: string): boolean {
  const [name = ''] = path.split('/').slice(-1);
  const folder = path.slice(0, -name.length - 1);
  return entriesOf(join(root, folder)).some((entry) => entry.name === name && (entry.isFile() || entry.isDirectory()));
}

/** With `\n` at the ends of lines, whatever program wrote it. */
function textOf(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n');
}
