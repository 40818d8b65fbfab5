/** The projects of a server whose databases are in an engine. */
import { DAY_MS, timestamp } from '../base/clock';
import { HOST } from '../base/host';
import { processIsAlive } from '../base/process-is-alive';
import type { Store } from '../db/store';
import type { Engine } from '../engine/address';
import { blockWrites, createDatabase, deleteDatabase, type EngineAdmin, forkDatabase } from '../engine/admin-api';
import { StoreOnEngine } from '../engine/store-on-engine';
import { ERASE_PENDING } from '../memory/forget';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { dropLeftRows } from '../memory/reserved-rows';
import { fillSaid } from '../memory/similar/fill-said';
import type { OpenedStore } from '../project/open-store';

/** A process that writes nothing for so long has ended. */
const MARKS_KEPT_MS = 2 * DAY_MS;

export interface OpenedOnEngine extends OpenedStore {
  readonly store: StoreOnEngine;
}

interface OpenProjectOnEngine {
  /** Another database has taken its place. */
  readonly isOld?: () => boolean;
  readonly replica?: Engine | undefined;
}

/**
 * @param name of the database
 * @throws SvcError unavailable as `StoreOnEngine.open`
 */
export async function openOnEngine(
  engine: Engine,
  name: string,
  { isOld = () => false, replica }: OpenProjectOnEngine = {},
): Promise<OpenedOnEngine> {
  const store = await StoreOnEngine.open({ database: { engine, name }, replica, migrations: MEMORY_MIGRATIONS });
  try {
    await fillSaid(store);
    await dropLeftRows(store, ({ pid, host }) => host === HOST && !processIsAlive(pid));
    await store.dropOldMarks(timestamp(Date.now() - MARKS_KEPT_MS));
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, access: 'own', backups: undefined, isOld, close: () => store.close() };
}

/**
 * Brings a database of the engine to the schema of this program, from nothing as well. One with another schema is copied
 * before, under the name of its version.
 */
export function migrateOnEngine(engine: Engine, admin: EngineAdmin, name: string): Promise<void> {
  const keep = (version: number): Promise<void> => forkDatabase(admin, name, `${name}-of-version-${version}`);
  return StoreOnEngine.migrate({ database: { engine, name }, migrations: MEMORY_MIGRATIONS }, 'mem_flags', keep);
}

/**
 * Puts a new database in the place of one that still holds, in its log, what was deleted. Nobody can write meanwhile.
 * @param switchTo from here on the new one is used
 * @throws SvcError unavailable; then the old one is used as before
 */
export async function renewOnEngine(
  engine: Engine,
  admin: EngineAdmin,
  { name, renewed, switchTo }: { name: string; renewed: string; switchTo: () => void },
): Promise<void> {
  const old = await openOnEngine(engine, name);
  try {
    await createDatabase(admin, renewed);
    await migrateOnEngine(engine, admin, renewed);
    const made = await openOnEngine(engine, renewed);
    try {
      await blockWrites(admin, name, true);
      await old.store.copyTo(made.store);
      await made.store.transact((sql) => sql.run('DELETE FROM mem_flags WHERE name = $name', { name: ERASE_PENDING }));
      const problems = [...(await made.store.problems()), ...(await differences(old.store, made.store))];
      if (problems.length > 0) throw new Error(`the copy of ${name} is not whole: ${problems.join('; ')}`);
      switchTo();
    } catch (error) {
      await blockWrites(admin, name, false);
      await deleteDatabase(admin, renewed).catch(() => undefined);
      throw error;
    } finally {
      await made.close();
    }
  } finally {
    await old.close();
  }
  await deleteDatabase(admin, name);
}

/** Tables of memories, of which each must have as many rows. */
const COUNTED = ['mem_nodes', 'mem_fts', 'mem_edges', 'mem_links', 'mem_history', 'mem_operations', 'mem_calls'];

async function differences(old: Store, made: Store): Promise<readonly string[]> {
  const count = async (store: Store, table: string): Promise<number> =>
    (await store.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))?.count ?? 0;
  const found: string[] = [];
  for (const table of COUNTED) {
    const [before, after] = [await count(old, table), await count(made, table)];
    if (before !== after) found.push(`${table} has ${after} rows of ${before}`);
  }
  return found;
}
