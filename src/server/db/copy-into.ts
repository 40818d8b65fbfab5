/** Copies an open database into a new file. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fsyncSync, lstatSync, openSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { conflict, SvcError, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { DiskFull, StoreDamaged } from './driver-errors';
import type { Writer } from './sql';

/** Only this user may read memories. */
const PRIVATE = 0o600;

export interface Target {
  readonly path: string;
  /** Overwrites an existing file. */
  readonly replace?: boolean;
  /** Others that may be writing the same copy name the same one. */
  readonly draft?: string;
  /** Called when the copy is there, before its draft is gone. */
  readonly whenThere?: () => void;
}

/**
 * Writes everything that a connection sees into one file, which appears when it is whole. No link is followed.
 * @throws SvcError conflict when the file exists, unavailable when it cannot be written
 */
export async function copyInto(source: Writer, target: Target): Promise<void> {
  const { path, whenThere, replace = false, draft = `${path}.${randomBytes(6).toString('hex')}.tmp` } = target;
  let made = false;
  try {
    requireFree(path, replace);
    closeSync(openSync(draft, 'wx', PRIVATE));
    made = true;
    // The copy takes it over: else its pages keep what they held before they were split, which a purge would miss.
    await source.all('PRAGMA secure_delete = ON');
    await source.run('VACUUM INTO $draft', { draft });
    sync(draft);
    await (replace ? rename(draft, path) : renameIfFree(draft, path));
    whenThere?.();
  } catch (error) {
    if (error instanceof SvcError && (error.code === 'conflict' || error instanceof StoreDamaged)) throw error;
    throw unwritable(path, error);
  } finally {
    if (made) await rm(draft, { force: true });
  }
}

/** @throws SvcError conflict */
function requireFree(path: string, replace: boolean): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !(replace && found.isFile())) throw occupied(path, found.isFile());
}

/** Never overwrites a file, not even one that has just appeared. */
async function renameIfFree(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw occupied(path, true);
    // Some disks have no second names.
    requireFree(path, false);
    await rename(draft, path);
  }
}

function sync(path: string): void {
  const opened = openSync(path, constants.O_RDWR);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function occupied(path: string, isFile: boolean): SvcError {
  return isFile
    ? conflict(`The file ${shownPath(path)} already exists`, 'Nothing was written. Name another file')
    : conflict(`${shownPath(path)} is not a regular file`, 'Nothing was written. Name another file');
}

/** Of anything else it says the same, and what cannot be written is the copy. */
function unwritable(path: string, error: unknown): SvcError {
  const isFull = error instanceof DiskFull || (error instanceof Error && 'code' in error && error.code === 'ENOSPC');
  return unavailable(
    `The copy ${shownPath(path)} cannot be written${isFull ? ': there is no space left on its disk' : ''}`,
    'Check that its folder exists, that this user may write there, and that there is space left',
  );
}
