/** Makes a backup because a person asked for one. */
import { realpathSync, statSync } from 'node:fs';
import { fileOf } from '../../store-place/store-place';
import { unavailable, wrongUsage } from '../base/errors';
import { realPlace } from '../base/paths';
import { shownPath } from '../base/text';
import { identityOf } from '../db/at-place';
import { readAtRest } from '../db/look-at-rest';
import type { Reader } from '../db/sql';
import { STRUCTURAL_KINDS_SQL } from '../memory/node-kinds';
import { isValid } from '../memory/people/node-filter';
import type { Backup } from './backups';
import type { Project } from './open';

export interface MadeBackup {
  readonly path: string;
  /** Of all namespaces, without entities and sessions. */
  readonly memories: number;
  readonly size_bytes: number;
}

/**
 * A person wants a copy of the whole store, as it is at this moment.
 * @param file where; among its backups where it is missing
 * @throws SvcError conflict when the file exists, invalid_input for the store itself, unavailable
 */
export async function backUp(project: Project, file: string | undefined, replace: boolean): Promise<MadeBackup> {
  const path = file ?? (await among(project));
  if (file !== undefined) {
    refuseItself(fileOf(project.place), file);
    await project.store.copyInto({ path, replace });
  }
  return { path, memories: await memoriesIn(path), size_bytes: statSync(path).size };
}

/** A backup, for a person who chooses one. */
export interface BackupAccount extends Backup {
  /** null where it cannot be read. */
  readonly memories: number | null;
}

export async function accountOfBackup(backup: Backup): Promise<BackupAccount> {
  return { ...backup, memories: await memoriesIn(backup.path).catch(() => null) };
}

/** What a file holds; undefined for what cannot be read, or is not there. */
export async function held(path: string): Promise<Omit<MadeBackup, 'path'> | undefined> {
  try {
    return { memories: await memoriesIn(path), size_bytes: statSync(path).size };
  } catch {
    return undefined;
  }
}

/** @throws SvcError unavailable for what cannot be read */
function memoriesIn(path: string): Promise<number> {
  return readAtRest(path, memoriesHeld);
}

/** Memories of all namespaces that hold now, as they are listed elsewhere. */
export async function memoriesHeld(sql: Reader): Promise<number> {
  const row = await sql.get<{ n: number }>(
    `SELECT count(*) AS n FROM mem_nodes AS n WHERE n.kind NOT IN (${STRUCTURAL_KINDS_SQL}) AND ${isValid('n')}`,
  );
  return row?.n ?? 0;
}

async function among({ backups, place }: Project): Promise<string> {
  if (backups) return backups.make();
  throw unavailable(
    `The store ${shownPath(fileOf(place))} is read-only here, so it has no backups of its own`,
    'Name a file: svc-memory backup <file>',
  );
}

/** @throws SvcError invalid_input */
function refuseItself(store: string, file: string): void {
  const real = realpathSync(store);
  const itself = ['', '-wal', '-shm', '-journal'].map((ending) => real + ending);
  if (!itself.includes(realPlace(file)) && identityOf(file) !== identityOf(real)) return;
  throw wrongUsage(`${shownPath(file)} is the store itself`, 'Nothing was written. Name another file');
}
