/** Copies a database of an engine row by row: an engine writes no file for others. */
import { join } from 'node:path';
import type { Target } from '../db/copy-into';
import type { Migration } from '../db/migrate';
import { openFile } from '../db/open-file';
import { makePrivateFolder } from '../db/private-copy';
import type { Reader, SqlParameters, SqlValue, Writer } from '../db/sql';

/** So that the longest rows stay below what an engine answers at once (10 MB). */
const ROWS_AT_ONCE = 40;

/**
 * @param source at one moment
 * @throws SvcError conflict or unavailable as `copyInto` of the database
 */
export async function copyRows(source: Reader, target: Target, migrations: readonly Migration[]): Promise<void> {
  const { folder, remove } = await makePrivateFolder();
  try {
    const path = join(folder, 'copy.db');
    const copy = await openFile({ path, migrations, create: true });
    try {
      await copy.transact((sql) => copyTables(source, (write) => write(sql)));
      await copy.copyInto(target);
    } finally {
      await copy.close();
    }
  } finally {
    await remove();
  }
}

/** @param inTurn runs each piece of writing, in a transaction */
export async function copyTables(
  source: Reader,
  inTurn: (write: (sql: Writer) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const table of await tablesOf(source)) {
    // What a schema begins with.
    await inTurn(async (sql) => void (await sql.run(`DELETE FROM ${table.name}`)));
    await copyTable(source, inTurn, table);
  }
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** By which its rows are told apart and put in order. */
  readonly key: readonly string[];
}

/** The full-text index included. */
async function tablesOf(sql: Reader): Promise<Table[]> {
  const rows = await sql.all<{ name: string; columns: string; key: string; ownKey: number }>(
    `SELECT t.name, t.wr AS ownKey,
       (SELECT json_group_array(name) FROM pragma_table_info(t.name)) AS columns,
       (SELECT json_group_array(name) FROM (SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) AS key
     FROM pragma_table_list AS t JOIN sqlite_schema AS s ON s.name = t.name
     WHERE t.schema = 'main' AND (t.type = 'table' OR s.sql LIKE '%USING fts5 %') ORDER BY t.name`,
  );
  return rows.map(({ name, columns, key, ownKey }) => {
    const all = quotedNames(columns);
    return ownKey === 1
      ? { name, columns: all, key: quotedNames(key) }
      : { name, columns: ['rowid', ...all], key: ['rowid'] };
  });
}

/** Some are words of SQL, too. @param names JSON */
function quotedNames(names: string): string[] {
  return (JSON.parse(names) as string[]).map((name) => `"${name}"`);
}

async function copyTable(
  source: Reader,
  inTurn: Parameters<typeof copyTables>[1],
  { name, columns, key }: Table,
): Promise<void> {
  const list = columns.join(', ');
  const selected = [...key.map((column, i) => `${column} AS k${i}`), `json_array(${list}) AS row`].join(', ');
  const values = columns.map((_, i) => `value ->> ${i}`).join(', ');
  let after = '';
  let parameters: SqlParameters = {};
  for (;;) {
    const page = await source.all<Record<string, SqlValue> & { row: string }>(
      `SELECT ${selected} FROM ${name} ${after} ORDER BY ${key.join(', ')} LIMIT ${ROWS_AT_ONCE}`,
      parameters,
    );
    const last = page.at(-1);
    if (!last) return;
    const rows = `[${page.map(({ row }) => row).join()}]`;
    await inTurn(async (sql) => {
      await sql.run(`INSERT INTO ${name} (${list}) SELECT ${values} FROM json_each($rows)`, { rows });
    });
    after = `WHERE (${key.join(', ')}) > (${key.map((_, i) => `$k${i}`).join(', ')})`;
    parameters = Object.fromEntries(key.map((_, i) => [`k${i}`, last[`k${i}`] ?? null]));
  }
}
