/** Makes sure that a write-ahead log belongs to its store. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '../base/errors';
import { isLogWithoutFile, logOf, unlessInCircle } from '../base/store-at';
import { shownPath } from '../base/text';
import { identityOf } from '../db/at-place';
import { openFile } from '../db/open-file';
import { copyPrivately } from '../db/private-copy';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { backupsFor } from './backups';
import { knownAt } from './known-stores';

/** A process that has the moved file open notices within a second, and lets go of its log. */
const LETS_GO_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 50;

/** There is a log without its store. */
export class LogWithoutStore extends SvcError {
  constructor(problem: string, remedy: string) {
    super('unavailable', problem, remedy);
  }
}

/**
 * SQLite takes whatever log lies beside a file for its own. A file that was moved, replaced or deleted while programs had it
 * open leaves one behind: a new file would take it away with what was stored last, another file would be damaged by it.
 * @param path a real one, of a store that is about to be opened; nothing may be there yet
 * @throws SvcError unavailable that names the log, and the file to put back
 */
export async function requireOwnLog(path: string, home: string): Promise<void> {
  if (!isOfAnother(path, home)) return;
  // Since something was last put into the folder, or taken out of it.
  const changed = unlessInCircle(() => statSync(dirname(path), { throwIfNoEntry: false }))?.mtimeMs ?? 0;
  const until = Math.min(changed, Date.now()) + LETS_GO_WITHIN_MS;
  while (isOfAnother(path, home) && isUsed(path) && Date.now() < until) await delay(LOOK_EVERY_MS);
  if (isLogWithoutFile(path)) throw logWithoutFile(path, home);
  if (isOfAnother(path, home) && sizeOf(logOf(path)) > 0 && !(await fitTogether(path))) throw logOfAnother(path, home);
}

/** What may lie beside it belongs to a file that was there before. */
function isOfAnother(path: string, home: string): boolean {
  if (sizeOf(path) === 0) return true;
  const { file } = knownAt(home, path) ?? {};
  return file !== undefined && file !== identityOf(path);
}

/** The index of a log exists as long as any process has the store open. */
function isUsed(path: string): boolean {
  return existsSync(logOf(path)) || existsSync(`${path}-shm`);
}

/** A file and a log that were moved here together are sound together; a file and the log of another one hardly ever are. */
async function fitTogether(path: string): Promise<boolean> {
  const copy = await copyPrivately(path);
  try {
    const store = await openFile({
      path: copy.path,
      migrations: MEMORY_MIGRATIONS,
      create: false,
      shownAs: path,
    });
    try {
      return (await store.problems()).length === 0;
    } finally {
      await store.close();
    }
  } catch {
    return false;
  } finally {
    await copy.remove();
  }
}

/** Which keeps the log as well. */
function orRestore(path: string, home: string): string {
  return backupsFor(home, path).length > 0 ? '; "svc-memory restore-backup" brings back the newest backup' : '';
}

function logWithoutFile(path: string, home: string): SvcError {
  return new LogWithoutStore(
    `The store ${shownPath(path)} is not there, but its log is: ${shownPath(logOf(path))} holds what was stored last. Nothing was made or deleted`,
    `Put the file back where it was, and nothing is lost. To begin a new store without it, move the log away${orRestore(path, home)}`,
  );
}

function logOfAnother(path: string, home: string): SvcError {
  return new LogWithoutStore(
    `The store ${shownPath(path)} was replaced while a program had it open, and ${shownPath(logOf(path))} belongs to the file that was there before: it holds what was stored in that one last. Nothing was read or changed`,
    `Put that file back, and nothing is lost. To use the one that lies there now, move the log away${orRestore(path, home)}`,
  );
}

function sizeOf(path: string): number {
  return unlessInCircle(() => statSync(path, { throwIfNoEntry: false }))?.size ?? 0;
}
