/** The file of a project that its people are given: what is taken out of it, and what says that it is another one. */
import type { Reader, Statement } from '../../db/sql';

/** Answers that are kept, who is connected, who holds sessions, and what the server notes of its own files. */
const OF_THE_SERVER = ['mem_calls', 'mem_connections', 'mem_sessions', 'mem_jobs', 'mem_flags'];

/** All namespaces of a project are open to everybody in it, so that they all stay. */
export const WITHOUT_WHAT_IS_THE_SERVERS: readonly Statement[] = [
  ...OF_THE_SERVER.map((table) => ({ sql: `DELETE FROM ${table}` })),
  { sql: `UPDATE mem_operations SET pid = 0, host = ''` },
];

/**
 * Another text whenever a memory was stored, changed or deleted. Who connects, and what is counted, is no change. A purge
 * deletes what was done from the history as well; then the counts differ.
 */
export async function stateOfMemory(sql: Reader): Promise<string> {
  const row = await sql.get<{ state: string }>(
    `SELECT json_array(
       (SELECT value FROM mem_flags WHERE name = 'store_id'),
       (SELECT user_version FROM pragma_user_version),
       (SELECT json_array(count(*), max(id), max(at)) FROM mem_operations),
       (SELECT count(*) FROM mem_history),
       (SELECT json_array(count(*), max(seq)) FROM mem_nodes),
       (SELECT count(*) FROM mem_edges), (SELECT count(*) FROM mem_links),
       (SELECT count(*) FROM mem_entity_names), (SELECT count(*) FROM mem_namespaces)) AS state`,
  );
  return row?.state ?? '';
}

/** The number of the last operation that changed anything; 0 where nothing ever did. */
export async function lastOperation(sql: Reader): Promise<number> {
  const row = await sql.get<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM mem_operations');
  return row?.id ?? 0;
}
