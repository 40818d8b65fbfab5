/** Looks which files a folder of shared memories holds. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile, whyUnread } from '../base/regular-file';
import { shownPath } from '../base/text';

/** A file that is there, and what changes whenever it is written. */
export type Stamps = ReadonlyMap<string, string>;

/** What a folder may hold: a bound for one that somebody made to be endless. */
export const MAX_FILES = 50_000;
const MAX_FOLDERS = 1_000;
export const MAX_FILE_BYTES = 400_000;
const MEMORY_FILE = /^(?!readme\.|index\.|template\.|adr-template\.).*\.(?:md|markdown)$/i;

/** Whether a file of this path is read at all. */
export function mayHoldMemory(path: string): boolean {
  return MEMORY_FILE.test(path.slice(path.lastIndexOf('/') + 1));
}

/** By path below the folder, with `/`, in the order of the paths. Links are passed over. */
export function scanFolder(folder: string): Stamps {
  const found: [string, string][] = [];
  const waiting = [''];
  for (let looked = 0; looked < MAX_FOLDERS; looked++) {
    const inner = waiting.shift();
    if (inner === undefined || found.length >= MAX_FILES) break;
    for (const entry of entriesOf(join(folder, inner))) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      if (!entry.isFile() || !mayHoldMemory(entry.name)) continue;
      const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
      if (stats?.isFile()) found.push([path, `${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}`]);
    }
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_FILES));
}

/** In milliseconds since 1970. */
export function modifiedAt(stamp: string): number {
  return Number(stamp.split(':')[1]);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export type FileText =
  | { readonly text: string; readonly hash: string }
  /** A sentence without its end. */
  | { readonly unread: string };

/** @param root of the project: no link on the way leads out of it */
export function readFile(root: string, folder: string, path: string): FileText {
  const read = readRegularFile(join(folder, path), { max: MAX_FILE_BYTES, links: { inside: root } });
  if (!read.bytes) return { unread: whyUnread(shownPath(path), read) };
  const text = read.bytes.toString('utf8').replace(/\r\n?/g, '\n');
  return { text, hash: createHash('sha256').update(read.bytes).digest('base64url') };
}
