/** A short text that changes whenever the definitions in the code graph do. */
import type { Reader } from '../db/sql';

/** What tells one state of the code from another: it changes with every definition that comes, goes or reads otherwise. */
export async function codeState(sql: Reader): Promise<string> {
  const row = await sql.get<{ state: string }>(
    `SELECT (SELECT count(*) || ':' || coalesce(max(since), 0) FROM graph_files) || ':' ||
            (SELECT count(*) || ':' || coalesce(max(since), 0) FROM graph_symbols) AS state`,
  );
  return row?.state ?? '';
}
