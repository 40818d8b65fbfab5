/** The list of stores that were made here or accepted. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { type Clock, timestamp } from '../base/clock';
import { makeFolders } from '../base/make-folders';

/**
 * The stores and code graphs that this machine made or a person accepted, in the home directory of their user: one small
 * file for each place, so that processes never write the same one.
 */
export interface KnownStore {
  /** The file's real path. */
  readonly path: string;
  /** Tells this file from another one at the same place. */
  readonly id: string;
  readonly how: KnownBy;
  readonly what: 'memories' | 'code graph' | 'shared memories';
  readonly since: string;
  /** What told the file from others (`identityOf`) when it was last opened in place. */
  readonly file?: string;
}

/** `adopted`: made by a version that gave no ids, and it did not come with a repository. */
export type KnownBy = 'made' | 'adopted' | 'accepted';

const FOLDER = 'known-stores';
/** A longer file is not ours. */
const MAX_ENTRY_BYTES = 20_000;
const OTHERS_MAY_WRITE = 0o022;

/** What is known of the file at this place. */
export function knownAt(home: string, path: string): KnownStore | undefined {
  return isTrustworthy(folderIn(home)) ? readEntry(entryFile(home, path)) : undefined;
}

/** All of them, by path. */
export function knownStores(home: string): KnownStore[] {
  const folder = folderIn(home);
  if (!isTrustworthy(folder)) return [];
  const entries = readdirSync(folder).flatMap((name) => readEntry(join(folder, name)) ?? []);
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @returns false where the home directory cannot be written */
export function rememberStore(home: string, store: Omit<KnownStore, 'since'>, clock: Clock = Date.now): boolean {
  return writeEntry(home, { ...store, since: timestamp(clock()) });
}

/** Keeps which file it was that was opened, for a store that is known. */
export function noteFile(home: string, path: string, file: string): void {
  const known = knownAt(home, path);
  if (known && known.file !== file) writeEntry(home, { ...known, file });
}

function writeEntry(home: string, entry: KnownStore): boolean {
  try {
    const folder = folderIn(home);
    makeFolders(folder, 0o700);
    const file = entryFile(home, entry.path);
    const written = `${file}.${process.pid}`;
    writeFileSync(written, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    renameSync(written, file);
    return true;
  } catch {
    return false;
  }
}

/** @returns false when nothing was known there */
export function forgetStore(home: string, path: string): boolean {
  if (!readEntry(entryFile(home, path))) return false;
  rmSync(entryFile(home, path));
  return true;
}

/** Whether there is a place to know stores by: some homes may not be written. */
export function canKnow(home: string): boolean {
  try {
    makeFolders(folderIn(home), 0o700);
    return isTrustworthy(folderIn(home));
  } catch {
    return false;
  }
}

function folderIn(home: string): string {
  return join(home, STORE_FOLDER, FOLDER);
}

function entryFile(home: string, path: string): string {
  return join(folderIn(home), `${createHash('sha256').update(path).digest('hex').slice(0, 24)}.json`);
}

/** A folder that others may write to says nothing that can be trusted. */
function isTrustworthy(folder: string): boolean {
  try {
    const stats = statSync(folder);
    return stats.isDirectory() && (process.platform === 'win32' || (stats.mode & OTHERS_MAY_WRITE) === 0);
  } catch {
    return false;
  }
}

function readEntry(file: string): KnownStore | undefined {
  try {
    if (!file.endsWith('.json') || statSync(file).size > MAX_ENTRY_BYTES) return undefined;
    const { path, id, how, what, since, file: opened } = JSON.parse(readFileSync(file, 'utf8')) as Partial<KnownStore>;
    if (typeof path !== 'string' || typeof id !== 'string' || typeof since !== 'string') return undefined;
    const entry: KnownStore = { path, id, since, how: how ?? 'made', what: what ?? 'memories' };
    return typeof opened === 'string' ? { ...entry, file: opened } : entry;
  } catch {
    return undefined;
  }
}
