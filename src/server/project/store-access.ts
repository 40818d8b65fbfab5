/** Decides how a store or a code graph may be used. */
import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileOf, type StorePlace } from '../../store-place/store-place';
import type { Clock } from '../base/clock';
import { SvcError, unavailable } from '../base/errors';
import type { Log } from '../base/log';
import { isInside, isThere } from '../base/paths';
import { unlessInCircle } from '../base/store-at';
import { shownPath } from '../base/text';
import { type AtRest, lookAtRest } from '../db/look-at-rest';
import type { Migration } from '../db/migrate';
import { openFile } from '../db/open-file';
import { isOpenHere } from '../db/open-here';
import { copyPrivately, type PrivateCopy, stateOf } from '../db/private-copy';
import type { Store } from '../db/store';
import type { IdTable } from '../db/store-id';
import type { GitHost } from '../git/run-git';
import { cameEmptyWithRepository, cameWithRepository, refuseForeignLog } from './came-with-repository';
import { canKnow, forgetStore, type KnownStore, knownAt, knownStores, rememberStore } from './known-stores';

/**
 * How a file of a project may be used. `own` is read and written in place. All others are read through a private copy,
 * so that not even a log appears beside them: `foreign` was not made on this machine and not accepted, `untrusted` is
 * in a workspace that is not trusted yet, `read-only` may not be written by this user.
 */
export type Access = 'own' | 'foreign' | 'untrusted' | 'read-only';

/** Whose stores are known, and what the editor says of the folder. */
export interface Owner {
  readonly home: string;
  /** False in an editor's window that is not trusted. */
  readonly trusted?: boolean | undefined;
  /** Where it is missing, Git cannot be asked where a file comes from. */
  readonly git?: GitHost | undefined;
  readonly clock?: Clock;
  readonly log?: Log | undefined;
  /** False where a store of an older schema is refused, because others may have it open: docs/team.md, "Migrations". */
  readonly migrates?: boolean;
}

/** What kind of file it is. */
export interface FileKind {
  readonly migrations: readonly Migration[];
  readonly ids: IdTable;
  readonly what: KnownStore['what'];
  /** Whether a file without an id, which an earlier version made, shows that it was made here. */
  readonly madeHere: (path: string, owner: Owner) => Promise<boolean>;
}

/** The largest foreign store that is read. */
const MAX_FOREIGN_BYTES = 256 * 1024 * 1024;

/** Where a file is, as far as its access depends on it. */
export type Lying = Pick<StorePlace, 'url' | 'kind' | 'root'>;

/**
 * @param lying a file that is there
 * @throws SvcError unavailable for a link that leads out of the project, what is no file, and a schema that is not ours
 */
export async function accessTo(lying: Lying, kind: FileKind, owner: Owner): Promise<Access> {
  const path = requireFile(lying);
  if (!(await isOwn(lying, path, kind, owner))) return 'foreign';
  if (owner.trusted === false) return 'untrusted';
  if (!mayWrite(path)) return 'read-only';
  if (!isOpenHere(path)) await refuseForeignLog(path, owner.git);
  return 'own';
}

async function isOwn(lying: Lying, path: string, kind: FileKind, owner: Owner): Promise<boolean> {
  if (lying.kind === 'home' || lying.kind === 'named') return true;
  // It was looked at when this process opened it.
  if (isOpenHere(path)) return true;
  const { version, id } = await lookAt(path, kind, knownAt(owner.home, path) !== undefined);
  // Asked again: another process may have made it since, and it is known before its id can be read.
  if (id !== undefined && knownAt(owner.home, path)?.id === id) return true;
  // Nothing is asked of Git, adopted or made, not even the place to know stores by, before a person trusts the folder.
  if (owner.trusted === false) return false;
  // Somebody of this user is making it just now, unless it came without any content.
  if (version === 0) return !(await cameEmptyWithRepository(path, owner.git));
  if (id === undefined) return !(await cameWithRepository(path, owner.git)) && kind.madeHere(path, owner);
  // A folder that was moved keeps its store; one that was copied, or cloned again, has the store of another one.
  const moved = knownStores(owner.home).find((one) => one.id === id && !isThere(one.path));
  // Without a place to know stores by, every one would be foreign for ever.
  if (!moved && canKnow(owner.home)) return false;
  if (await cameWithRepository(path, owner.git)) return false;
  if (moved) forgetStore(owner.home, moved.path);
  rememberStore(owner.home, { path, id, how: 'adopted', what: kind.what }, owner.clock);
  return true;
}

/**
 * @param path a real one
 * @param known it is one's own, whatever its size
 */
export async function lookAt(path: string, { migrations, ids }: FileKind, known = false): Promise<AtRest> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = stateOf(path);
    const found = await lookAtRest(path, migrations, ids).catch(refusalIn);
    if (!(found instanceof SvcError) && found.id !== undefined) return found;
    // While others write, the file without its log may be incomplete.
    if (hasLog(path)) break;
    if (stateOf(path) !== state) continue;
    if (found instanceof SvcError) throw found;
    return found;
  }
  const copy = await copyPrivately(path, known ? undefined : MAX_FOREIGN_BYTES);
  try {
    return await lookAtRest(copy.path, migrations, ids, path);
  } finally {
    await copy.remove();
  }
}

/** While others write, a look at a file without its log may be of two moments. */
const ATTEMPTS = 5;

function refusalIn(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  throw error;
}

/** A store that is read through a private copy. */
export interface OpenedCopy {
  readonly store: Store;
  /** The original was written, or replaced, since. */
  readonly isOld: () => boolean;
  readonly remove: () => Promise<void>;
}

/**
 * @param signal ends the copying
 * @throws SvcError unavailable; what ended the signal
 */
export async function openCopy(
  path: string,
  { migrations }: FileKind,
  access: Exclude<Access, 'own'>,
  signal?: AbortSignal,
): Promise<OpenedCopy> {
  const original = realpathSync(path);
  const copy: PrivateCopy = await copyPrivately(original, access === 'foreign' ? MAX_FOREIGN_BYTES : undefined, signal);
  try {
    const store = await openFile({
      path: copy.path,
      migrations,
      create: false,
      refuseWriting: refusalOf(access, path),
      shownAs: path,
    });
    return { store, isOld: nowAndThen(() => stateOf(original) !== copy.state), remove: copy.remove };
  } catch (error) {
    await copy.remove();
    throw error;
  }
}

/** Somebody who writes all the time must not have a copy made for each question. */
const ASKED_EVERY_MS = 2_000;

/** The same answer for a while. */
export function nowAndThen(ask: () => boolean): () => boolean {
  let until = performance.now() + ASKED_EVERY_MS;
  let answer = false;
  return () => {
    if (!answer && performance.now() >= until) {
      answer = ask();
      until = performance.now() + ASKED_EVERY_MS;
    }
    return answer;
  };
}

/** Why nothing is written to a file of this access. */
export function refusalOf(access: Exclude<Access, 'own'>, path: string): SvcError {
  return WHY[access](path);
}

const WHY: Readonly<Record<Exclude<Access, 'own'>, (path: string) => SvcError>> = {
  foreign: (path) =>
    unavailable(
      `The store ${shownPath(path)} came with this folder. It was not made on this machine and has not been accepted, so nothing was written to it`,
      'A person can look at it and accept it with "svc-memory trust". Or set SVC_MEMORY_DB to a store of your own',
    ),
  untrusted: (path) =>
    unavailable(
      `The workspace of ${shownPath(path)} is not trusted, so nothing is written in it`,
      'Trust it ("Workspaces: Manage Workspace Trust") and try again',
    ),
  'read-only': (path) =>
    unavailable(
      `The store ${shownPath(path)} may not be written`,
      'Give this user the right to write the file and its folder, or set SVC_MEMORY_DB to another file',
    ),
};

/**
 * The real path of a file of a project.
 * @throws SvcError unavailable for what is no file, and for a link that leads out of the project
 */
export function requireFile(lying: Lying): string {
  const path = fileOf(lying);
  const real = realOf(path);
  requireInside(lying, real);
  const what = lstatSync(real);
  if (what.isFile()) return real;
  throw unavailable(
    `${shownPath(path)} is ${what.isDirectory() ? 'a folder' : 'a pipe, a socket or a device'} instead of a store`,
    'It was not opened. Move it away, or set SVC_MEMORY_DB to another file',
  );
}

/** For a file that is still to be made. @throws SvcError unavailable where a link on the way leads out of the project */
export function requirePlace(lying: Lying): void {
  let folder = dirname(fileOf(lying));
  while (!isThere(folder) && dirname(folder) !== folder) folder = dirname(folder);
  requireInside(lying, realOf(folder));
}

function requireInside(lying: Lying, real: string): void {
  const { root, kind } = lying;
  if (kind === 'home' || kind === 'named' || root === undefined) return;
  // That of a work tree lies in another folder than its code.
  if (isInside(kind === 'project' ? dirname(dirname(fileOf(lying))) : root, real)) return;
  throw unavailable(
    `${shownPath(fileOf(lying))} is a link that leads out of the project, to ${shownPath(real)}`,
    'It was not opened. Replace it with a file, or set SVC_MEMORY_DB to the store that you want',
  );
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw unavailable(
      `${shownPath(path)} is a link that leads nowhere or cannot be read`,
      'Replace it with a file, or set SVC_MEMORY_DB to another file',
    );
  }
}

function hasLog(path: string): boolean {
  return (unlessInCircle(() => statSync(`${path}-wal`, { throwIfNoEntry: false }))?.size ?? 0) > 0;
}

function mayWrite(path: string): boolean {
  try {
    // The log is in the same folder.
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
