import { MEMORY_MIGRATIONS } from '../../src/server/memory/migrations/index';
import { openSqlite } from './sqlite';

/** Links to code as they were before they were apart from places. */
const LINKS = ['mem_touches', 'mem_anchors'];

/** Makes a store what the program before leases left: takes the migrations since then back by hand. */
export async function beforeLeases(path: string): Promise<void> {
  const store = await openSqlite(path);
  for (const table of ['mem_calls', 'mem_connections']) await store.all(`DROP TABLE ${table}`);
  for (const sql of await schemaBefore('links')) await store.all(sql);
  await store.all(
    `INSERT INTO mem_touches (node, file_path, code_type, name, hash, linked_at)
     SELECT node, file_path, code_type, name, hash, linked_at FROM mem_links`,
  );
  await store.all('DROP TABLE mem_links');
  await store.all('DROP TABLE mem_link_texts');
  for (const column of ['lease_until', 'principal']) await store.all(`ALTER TABLE mem_sessions DROP COLUMN ${column}`);
  await withoutOrigins(store);
  await store.all('ALTER TABLE mem_operations DROP COLUMN principal');
  await store.all('DROP INDEX mem_nodes_by_said');
  await store.all('ALTER TABLE mem_nodes DROP COLUMN said');
  await store.all('PRAGMA user_version = 4');
  await store.close();
}

/** As it was before memories said where they come from. */
async function withoutOrigins(store: Awaited<ReturnType<typeof openSqlite>>): Promise<void> {
  await store.all('DROP INDEX mem_nodes_proposed');
  for (const column of ['origin', 'standing', 'principal'])
    await store.all(`ALTER TABLE mem_nodes DROP COLUMN ${column}`);
  for (const table of ['mem_origins', 'mem_principals']) await store.all(`DROP TABLE ${table}`);
  await store.all(
    `UPDATE mem_history SET before = json_remove(before, '$[#-1]'), "after" = json_remove("after", '$[#-1]')`,
  );
}

/** The statements that make the tables of links, as they were before the migration of this name. */
async function schemaBefore(migration: string): Promise<string[]> {
  const store = await openSqlite(':memory:');
  for (const { name, sql } of MEMORY_MIGRATIONS) {
    if (name === migration) break;
    await store.script(sql);
  }
  const rows = await store.all<{ sql: string }>(
    `SELECT sql FROM sqlite_schema WHERE tbl_name IN (${LINKS.map((name) => `'${name}'`).join()}) AND sql IS NOT NULL
     ORDER BY type DESC`,
  );
  await store.close();
  return rows.map(({ sql }) => sql);
}
