import type { StoreFile } from '../db/store-file';
import { ERASE_PENDING } from '../memory/forget';

/**
 * Finishes the erase that a purge has begun: empties the write-ahead log and removes migration backups. Where other
 * processes keep the log busy it stays pending, for the next opening or closing of the store by any process.
 */
export async function finishErase(store: StoreFile, patienceMs?: number): Promise<void> {
  if (!(await erasePending(store))) return;
  if (await store.erase(patienceMs)) {
    await store.transact((sql) => sql.run('DELETE FROM mem_flags WHERE name = $name', { name: ERASE_PENDING }));
  }
}

export async function erasePending(store: StoreFile): Promise<boolean> {
  return (
    (await store.get('SELECT 1 AS pending FROM mem_flags WHERE name = $name', { name: ERASE_PENDING })) !== undefined
  );
}
