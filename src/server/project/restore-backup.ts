/** Restores a backup. */
import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { locateStore, type Surroundings, storeAt } from '../../store-place/locate';
import { fileOf, type StorePlace, storeExists } from '../../store-place/store-place';
import { timestamp } from '../base/clock';
import { copyLiveFile } from '../base/copy-file';
import { notFound, SvcError, unavailable } from '../base/errors';
import { realPlace } from '../base/paths';
import { isStoreAt, logOf } from '../base/store-at';
import { quoted, shownPath } from '../base/text';
import { identityOf } from '../db/at-place';
import { removeLeftReplacements, replacementOf } from '../db/copies-beside';
import { StoreBusy } from '../db/driver-errors';
import { openFile } from '../db/open-file';
import { copyPrivately } from '../db/private-copy';
import type { Store } from '../db/store';
import { giveId } from '../db/store-id';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { accountOfBackup, type BackupAccount, memoriesHeld } from './back-up';
import { type Backup, backupName, backupPath, backupsFor, everyBackup, makeBackupFolder, newestOf } from './backups';
import { isEmptied } from './emptied-store';
import { knownAt, noteFile, rememberStore } from './known-stores';
import { makeFolder } from './make-folder';
import { MEMORY_FILE } from './open-store';
import { accessTo, type Owner, requireFile, requirePlace } from './store-access';

/** A backup, and the store that it will replace. */
export interface Restoring {
  /** Absolute. */
  readonly file: string;
  readonly place: StorePlace;
}

export interface RestoredStore {
  readonly path: string;
  readonly memories: number;
  /** Where what lay there before is kept; null when there was nothing. */
  readonly kept: string | null;
}

/** The store of this folder, even if it was lost: its backups say where it was. */
export function storeToRestore(around: Surroundings): StorePlace {
  const place = locateStore(around);
  const isExpected = around.storeFileFromEditor === true && !storeExists(place);
  if (place.kind !== 'home' && !(isExpected && backupsFor(around.home, realPlace(fileOf(place))).length === 0))
    return place;
  for (let folder = resolve(around.cwd); folder !== dirname(folder); folder = dirname(folder)) {
    const lost = storeAt(folder, around.home, 'the store of this folder was lost');
    if (lost.kind === 'project' && backupsFor(around.home, realPlace(fileOf(lost))).length > 0) return lost;
  }
  return place;
}

/** Newest first. */
export function backupsAt(place: StorePlace, home: string): Promise<BackupAccount[]> {
  return Promise.all(backupsFor(home, realPlace(fileOf(place))).map(accountOfBackup));
}

/**
 * @param named a file, or the name of a backup; the newest of this store where it is missing
 * @throws SvcError not_found
 */
export function whatToRestore(around: Surroundings, named: string | undefined): Restoring {
  const { home } = around;
  const here = storeToRestore(around);
  const backups = backupsFor(home, realPlace(fileOf(here)));
  if (named === undefined) {
    // Skip the copies that earlier restores kept: nobody looks for those.
    const newest = newestOf(backups);
    if (newest) return { file: newest.path, place: here };
    throw notFound(
      `The store ${shownPath(fileOf(here))} has no backup`,
      'Name a file of your own: svc-memory restore-backup <file>',
    );
  }
  const isNamed = ({ name, path }: Backup): boolean => [name, `${name}.db`, path].includes(named);
  const own = backups.find(isNamed);
  if (own) return { file: own.path, place: here };
  // Its store may be another one than that of this folder: what it is of says where it was.
  const [backup, path] = everyBackup(home).find(([one]) => isNamed(one)) ?? [];
  if (backup && path !== undefined) return { file: backup.path, place: placeOf(path, around) };
  const file = resolve(around.cwd, named);
  if (existsSync(file)) return { file, place: here };
  throw notFound(`There is no backup or file called ${quoted(named)}`, '"svc-memory restore-backup --list" shows them');
}

function placeOf(path: string, around: Surroundings): StorePlace {
  const located = locateStore({ ...around, storeFile: path, storeFileFromEditor: true });
  return { ...located, reason: 'the backup is of this store' };
}

/**
 * Replaces a store with a backup. The present file is kept as another backup first. Programs that have the store open
 * continue with the restored one, and lose nothing that they store in the meantime.
 * @throws SvcError unavailable when the backup cannot be used, or the present file cannot be kept
 */
export async function restoreBackup({ file, place }: Restoring, owner: Owner): Promise<RestoredStore> {
  const { home } = owner;
  requirePlace(place);
  const path = existsSync(fileOf(place)) ? requireFile(place) : realPlace(fileOf(place));
  makeFolder(path);
  await removeLeftReplacements(path);
  const draft = replacementOf(path, process.pid);
  try {
    const { id, memories } = await prepare(file, draft);
    const about = { path, before: knownAt(home, path)?.id, id, home, clock: owner.clock ?? Date.now };
    const kept = await replace(place, about, owner, draft);
    const restored = identityOf(path) ?? '';
    const how = about.before === id ? (knownAt(home, path)?.how ?? 'accepted') : 'accepted';
    rememberStore(home, { path, id, how, what: MEMORY_FILE.what, file: restored }, owner.clock);
    return { path, memories, kept };
  } finally {
    rmSync(draft, { force: true });
  }
}

interface About {
  readonly path: string;
  /** The id of the store that is known at the place. */
  readonly before: string | undefined;
  readonly id: string;
  readonly home: string;
  readonly clock: () => number;
}

/** The backup as it will be opened: whole, sound, and of the schema of this program. */
async function prepare(file: string, draft: string): Promise<{ readonly id: string; readonly memories: number }> {
  const copy = await copyPrivately(realpathSync(file));
  try {
    const store = await openFile({
      path: copy.path,
      migrations: MEMORY_MIGRATIONS,
      create: false,
      shownAs: file,
    });
    try {
      if ((await store.problems()).length > 0) {
        throw unavailable(`The backup ${shownPath(file)} is damaged`, 'Nothing was changed. Choose another one');
      }
      const id = await store.transact((sql) => giveId(sql, { table: MEMORY_FILE.ids, made: () => {} }));
      const memories = await memoriesHeld(store);
      await store.copyInto({ path: draft });
      return { id, memories };
    } finally {
      await store.close();
    }
  } finally {
    await copy.remove();
  }
}

/** @returns where what lay there is kept */
async function replace(place: StorePlace, about: About, owner: Owner, draft: string): Promise<string | null> {
  const { path, home } = about;
  if (!isStoreAt(path) || isEmptied(path, home)) {
    swap(about, draft);
    return null;
  }
  const store = await openInPlace(place, owner);
  try {
    const id = (await store?.id(MEMORY_FILE.ids)) ?? about.before ?? about.id;
    const folder = makeBackupFolder(home, id, { path });
    const kept = backupPath(folder, backupName('replaced', about.clock));
    const change = async (): Promise<void> => {
      if (!(await isCopied(store, kept))) await keepFiles(path, kept);
      swap({ ...about, before: id }, draft, kept);
    };
    // No process writes until the backup is in place; one that waits notices the new file.
    await (store ? store.transact(change) : change());
    return existsSync(kept) ? kept : logOf(kept);
  } finally {
    await store?.close();
  }
}

/** @returns undefined for what cannot be read, or is not to be */
async function openInPlace(place: StorePlace, owner: Owner): Promise<Store | undefined> {
  try {
    if ((await accessTo(place, MEMORY_FILE, owner)) !== 'own') return undefined;
    return await openFile({ path: fileOf(place), migrations: MEMORY_MIGRATIONS, create: false });
  } catch (error) {
    if (error instanceof SvcError && !(error instanceof StoreBusy)) return undefined;
    throw error;
  }
}

/** @returns false where it is too damaged for that */
async function isCopied(store: Store | undefined, path: string): Promise<boolean> {
  if (!store) return false;
  try {
    await store.copyInto({ path });
    return true;
  } catch (error) {
    if (
      await store.problems().then(
        (found) => found.length === 0,
        () => false,
      )
    )
      throw error;
    return false;
  }
}

/** As they are, damaged as they may be. @throws SvcError unavailable */
async function keepFiles(path: string, kept: string): Promise<void> {
  try {
    for (const [from, to] of [
      [path, kept],
      [logOf(path), logOf(kept)],
    ] as const) {
      if ((statSync(from, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
      await copyLiveFile(from, to, false);
    }
  } catch {
    throw unavailable(
      `${shownPath(path)} cannot be copied to ${shownPath(dirname(kept))}, where replaced stores are kept`,
      'Nothing was changed. Check that there is space left, and try again',
    );
  }
}

/** One file takes the place of another at one moment; nobody who opens it then may find the log of the one before. */
function swap({ path, before, id, home, clock }: About, draft: string, kept?: string): void {
  const old = statSync(path, { throwIfNoEntry: false });
  const file = identityOf(path);
  const restored = identityOf(draft);
  if (old) chmodSync(draft, old.mode & 0o777);
  for (const one of new Set([before ?? id, id])) {
    makeBackupFolder(home, one, { path, ...(restored === undefined ? {} : { restored }) });
  }
  if (file !== undefined) {
    if (kept !== undefined) {
      const mark = { file, at: timestamp(clock()), name: basename(kept, '.db') };
      makeBackupFolder(home, before ?? id, { path, kept: mark });
    }
    noteFile(home, path, file);
  }
  try {
    renameSync(draft, path);
  } catch {
    throw unavailable(
      `${shownPath(path)} cannot be replaced: another program has it open, or its folder may not be written`,
      'Nothing was changed. Close the programs that use it, and try again',
    );
  }
  for (const name of [logOf(path), `${path}-shm`]) rmSync(name, { force: true });
}
