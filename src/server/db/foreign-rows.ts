/** Reads rows of a database that another program keeps. */
import { lstatSync } from 'node:fs';
import { unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { Connection, MAX_READ_BYTES } from './driver';
import { copyPrivately } from './private-copy';
import type { Reader, SqlValue } from './sql';

const MAX_BYTES = 256 * 1024 * 1024;
const LIMIT_MS = 10_000;
/** Of one value. */
const MAX_CHARACTERS = 4_000;

/** What is wanted of one table. The names are ours; those that the file does not have are left out. */
export interface WantedRows {
  readonly table: string;
  readonly columns: readonly string[];
  /** Only rows with this text in the column. */
  readonly where: { readonly column: string; readonly text: string };
  /** The newest by this column, oldest first. */
  readonly newestBy: string;
  readonly most: number;
}

export type ForeignRow = Readonly<Record<string, SqlValue>>;

/**
 * Reads a private copy: nothing is written beside the original, however it is opened elsewhere. Whatever the file holds,
 * only its plain tables and columns are read, in a limited time.
 * @throws SvcError unavailable for what is no database, is too large or takes too long
 */
export async function readForeignRows(
  path: string,
  wanted: readonly WantedRows[],
  signal: AbortSignal,
): Promise<ForeignRow[][]> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw unavailable(`${shownPath(path)} is no regular file`, 'Put the file itself there');
  if (stats.size > MAX_BYTES) {
    throw unavailable(`${shownPath(path)} is larger than ${MAX_BYTES / 1024 / 1024} MB`, 'Nothing was read');
  }
  const copy = await copyPrivately(path);
  try {
    // Its log is read as well, which a connection does that may write.
    const connection = await Connection.open(copy.path, 'read-write', {
      maxValueBytes: MAX_READ_BYTES,
      shownAs: shownPath(path),
    });
    const stop = (): void => connection.interrupt();
    const limit = setTimeout(stop, LIMIT_MS);
    signal.addEventListener('abort', stop);
    try {
      await connection.script('PRAGMA query_only = ON');
      const rows: ForeignRow[][] = [];
      for (const one of wanted) rows.push(await rowsOf(connection, one));
      return rows;
    } finally {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
      await connection.close();
    }
  } finally {
    await copy.remove();
  }
}

async function rowsOf(sql: Reader, { table, columns, where, newestBy, most }: WantedRows): Promise<ForeignRow[]> {
  // A view, or a column that is computed, would run what the file says.
  const there = await sql.all<{ name: string }>(
    `SELECT c.name FROM pragma_table_list AS t CROSS JOIN pragma_table_xinfo(t.name) AS c
     WHERE t.schema = 'main' AND t.name = $table AND t.type = 'table' AND c.hidden = 0`,
    { table },
  );
  const names = new Set(there.map(({ name }) => name));
  if (!names.has(where.column) || !names.has(newestBy)) return [];
  const read = columns
    .filter((column) => names.has(column))
    .map(
      (column) => `CASE typeof("${column}") WHEN 'text' THEN substr("${column}", 1, ${MAX_CHARACTERS})
         WHEN 'integer' THEN "${column}" WHEN 'real' THEN "${column}" END AS "${column}"`,
    );
  const rows = await sql.all<ForeignRow>(
    `SELECT ${read.join(', ')} FROM main."${table}" WHERE "${where.column}" = $text
     ORDER BY "${newestBy}" DESC LIMIT $most`,
    { text: where.text, most },
  );
  return rows.reverse();
}
