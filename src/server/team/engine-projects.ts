/** The projects of a server whose databases are in an engine. */
import { DAY_MS, timestamp } from '../base/clock';
import { HOST } from '../base/host';
import { processIsAlive } from '../base/process-is-alive';
import type { Engine } from '../engine/address';
import { StoreOnEngine } from '../engine/store-on-engine';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { dropLeftRows } from '../memory/reserved-rows';
import { fillSaid } from '../memory/similar/fill-said';
import type { OpenedStore } from '../project/open-store';

/** A process that writes nothing for so long has ended. */
const MARKS_KEPT_MS = 2 * DAY_MS;

export interface OpenedOnEngine extends OpenedStore {
  readonly store: StoreOnEngine;
}

/** @param name of the database @throws SvcError unavailable as `StoreOnEngine.open` */
export async function openOnEngine(engine: Engine, name: string): Promise<OpenedOnEngine> {
  const store = await StoreOnEngine.open({ database: { engine, name }, migrations: MEMORY_MIGRATIONS });
  try {
    await fillSaid(store);
    await dropLeftRows(store, ({ pid, host }) => host === HOST && !processIsAlive(pid));
    await store.dropOldMarks(timestamp(Date.now() - MARKS_KEPT_MS));
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, access: 'own', backups: undefined, isOld: () => false, close: () => store.close() };
}

/** Brings a database of the engine to the schema of this program, from nothing as well. */
export function migrateOnEngine(engine: Engine, name: string): Promise<void> {
  return StoreOnEngine.migrate({ database: { engine, name }, migrations: MEMORY_MIGRATIONS }, 'mem_flags');
}
