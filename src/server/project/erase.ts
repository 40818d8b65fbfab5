/** Finishes the erase after a purge. */
import type { Store } from '../db/store';
import { ERASE_PENDING, purgedIds } from '../memory/forget';
import type { StoreBackups } from './store-backups';

/** A store that is written, and its copies. */
export interface Erasable {
  readonly store: Store;
  readonly backups?: StoreBackups | undefined;
}

/**
 * Finishes the erase that a purge has begun: empties the write-ahead log, and removes backups that hold what was purged.
 * Where other processes keep the log busy it stays pending, for the next opening or closing of the store by any process.
 * @returns how many backups were removed
 */
export async function finishErase({ store, backups }: Erasable, patienceMs?: number): Promise<number> {
  const pending = await pendingErase(store);
  if (pending === undefined) return 0;
  const removed = await backups?.removeHolding(purgedIds(pending));
  const isWhole = backups === undefined || removed !== undefined;
  if ((await store.erase(patienceMs)) && isWhole) {
    await store.transact((sql) => sql.run('DELETE FROM mem_flags WHERE name = $name', { name: ERASE_PENDING }));
  }
  return removed ?? 0;
}

export async function erasePending(store: Store): Promise<boolean> {
  return (await pendingErase(store)) !== undefined;
}

async function pendingErase(store: Store): Promise<string | undefined> {
  const row = await store.get<{ value: string }>('SELECT value FROM mem_flags WHERE name = $name', {
    name: ERASE_PENDING,
  });
  return row?.value;
}
