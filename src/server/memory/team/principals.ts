/** The people and services that write to a store of several. */
import type { Database } from '../../db/sql';

/** The row number of a person; written when it is new. @param name as the operator of the server calls her */
export async function claimPerson(store: Database, name: string): Promise<number> {
  const find = `SELECT id FROM mem_principals WHERE kind = 'person' AND name = $name`;
  const known = await store.get<{ id: number }>(find, { name });
  if (known) return known.id;
  return store.transact(async (sql) => {
    await sql.run(`INSERT OR IGNORE INTO mem_principals (name, kind) VALUES ($name, 'person')`, { name });
    const row = await sql.get<{ id: number }>(find, { name });
    if (!row) throw new Error('a person that was written is not there');
    return row.id;
  });
}
