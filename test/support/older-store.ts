import { openSqlite } from './sqlite';

/** Makes a store what the program before leases left: takes the migrations since then back by hand. */
export async function beforeLeases(path: string): Promise<void> {
  const store = await openSqlite(path);
  for (const column of ['lease_until', 'principal']) await store.all(`ALTER TABLE mem_sessions DROP COLUMN ${column}`);
  await store.all('ALTER TABLE mem_operations DROP COLUMN principal');
  await store.all('PRAGMA user_version = 4');
  await store.close();
}
