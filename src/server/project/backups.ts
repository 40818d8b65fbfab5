/** The folder of backups in the home directory. */
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { type Clock, timestamp } from '../base/clock';
import { unavailable } from '../base/errors';
import { makeFolders } from '../base/make-folders';
import { readRegularFile } from '../base/regular-file';
import { shownPath } from '../base/text';

/**
 * Copies of stores, in the home directory of their user: a folder for each store, by its id, and in it a small file that
 * says where the store is.
 */

/**
 * `daily`: made by itself. `made`: a person asked for it. `rescued`: of a store that was deleted while it was open.
 * `replaced`: what lay where a backup was restored.
 */
export type BackupKind = 'daily' | 'made' | 'rescued' | 'replaced';

export interface Backup {
  readonly path: string;
  /** Without its ending. */
  readonly name: string;
  readonly kind: BackupKind;
  /** ISO-8601 */
  readonly at: string;
  readonly size: number;
}

/** What is known of the store that a folder of backups is about. */
export interface BackedUpStore {
  /** Its real path, as it was last. */
  readonly path: string;
  /** The file (`identityOf`) whose content is kept in the newest of them, since it lost its place. */
  readonly kept?: { readonly file: string; readonly at: string; readonly name: string };
  /** The file that was restored from one of them last. */
  readonly restored?: string;
}

const FOLDER = 'backups';
const ABOUT = 'store.json';
const MAX_ABOUT_BYTES = 20_000;
const ENDING = '.db';
const NAME = /^(daily|made|rescued|replaced)-(\d{4}-\d\d-\d\d)(?:T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z)?(?:-\d+)?\.db$/;
const OUR_ID = /^[0-9a-f]{32}$/;

function allFolders(home: string): string {
  return join(home, STORE_FOLDER, FOLDER);
}

/** @param id what the store says of itself: it may have come from anywhere */
export function backupFolder(home: string, id: string): string {
  const name = OUR_ID.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
  return join(allFolders(home), name);
}

/** Of every store that was at this place, newest first. @param path a real one */
export function backupsFor(home: string, path: string): Backup[] {
  return everyBackup(home)
    .flatMap(([backup, of]) => (of === path ? backup : []))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The one that is brought back where none is named. What another one has replaced may be damaged, and was not wanted. */
export function newestOf(backups: readonly Backup[]): Backup | undefined {
  return backups.find(({ kind }) => kind !== 'replaced') ?? backups[0];
}

/** @throws SvcError unavailable */
export function makeBackupFolder(home: string, id: string, about: BackedUpStore): string {
  const folder = backupFolder(home, id);
  try {
    makeFolders(folder, 0o700);
    writeAbout(folder, about);
    return folder;
  } catch {
    throw unavailable(
      `The folder for backups ${shownPath(folder)} cannot be made or written`,
      'Give this user the right to write there',
    );
  }
}

export function readAbout(folder: string): BackedUpStore | undefined {
  const read = readRegularFile(join(folder, ABOUT), { max: MAX_ABOUT_BYTES, links: 'refused' });
  try {
    const { path, kept, restored } = JSON.parse(read.bytes?.toString('utf8') ?? '') as Partial<BackedUpStore>;
    if (typeof path !== 'string') return undefined;
    const isWhole = [kept?.file, kept?.at, kept?.name].every((one) => typeof one === 'string');
    return { path, ...(kept && isWhole ? { kept } : {}), ...(typeof restored === 'string' ? { restored } : {}) };
  } catch {
    return undefined;
  }
}

function writeAbout(folder: string, about: BackedUpStore): void {
  const before = readAbout(folder);
  const now: BackedUpStore = { ...before, ...about };
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const file = join(folder, ABOUT);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(now)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Those of every store, with the place that it was at last. */
export function everyBackup(home: string): [backup: Backup, path: string][] {
  return namesIn(allFolders(home)).flatMap((name) => {
    const folder = join(allFolders(home), name);
    const path = readAbout(folder)?.path;
    return path === undefined ? [] : backupsIn(folder).map((one): [Backup, string] => [one, path]);
  });
}

/** Deletes one, with its log. @throws Error of the file system */
export function removeBackup(path: string): void {
  for (const file of [path, `${path}-wal`]) rmSync(file, { force: true });
}

/** Whether a file is one of the backups of this user. */
export function isBackup(home: string, file: string): boolean {
  return dirname(dirname(resolve(file))) === allFolders(home);
}

function backupsIn(folder: string): Backup[] {
  return namesIn(folder).flatMap((name) => backupOf(folder, name) ?? []);
}

/** `made-2026-11-22T10-11-12-000Z` */
export function backupName(kind: BackupKind, clock: Clock): string {
  return `${kind}-${timestamp(clock()).replaceAll(/[:.]/g, '-')}`;
}

export function backupPath(folder: string, name: string): string {
  return join(folder, name + ENDING);
}

function backupOf(folder: string, name: string): Backup | undefined {
  const [, kind, day, hours, minutes, seconds, ms] = NAME.exec(name) ?? [];
  if (kind === undefined || day === undefined) return undefined;
  const path = join(folder, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  const at = hours === undefined ? timestamp(stats.mtimeMs) : `${day}T${hours}:${minutes}:${seconds}.${ms}Z`;
  return { path, name: name.slice(0, -ENDING.length), kind: kind as BackupKind, at, size: stats.size };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
