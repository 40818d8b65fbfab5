/** Copies a database of an engine into a file: row by row, because an engine writes no file for others. */
import { rmSync } from 'node:fs';
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
      await copy.transact(async (sql) => {
        // Rows refer to others that come later.
        await sql.run('PRAGMA defer_foreign_keys = ON');
        for (const table of await tablesOf(sql)) await copyTable(source, sql, table);
      });
      await copy.copyInto(target);
    } finally {
      await copy.close();
      rmSync(path, { force: true });
    }
  } finally {
    await remove();
  }
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** By which its rows are told apart and put in order. */
  readonly key: readonly string[];
}

/** As our own schema has them, the full-text index included, and the counters of SQLite last. */
async function tablesOf(sql: Reader): Promise<Table[]> {
  const rows = await sql.all<{ name: string; columns: string; key: string; ownKey: number }>(
    `SELECT t.name, t.wr AS ownKey,
       (SELECT json_group_array(name) FROM pragma_table_info(t.name)) AS columns,
       (SELECT json_group_array(name) FROM (SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) AS key
     FROM pragma_table_list AS t JOIN sqlite_schema AS s ON s.name = t.name
     WHERE t.schema = 'main' AND (t.type = 'table' OR s.sql LIKE '%USING fts5 %') ORDER BY t.name LIKE 'sqlite%', t.name`,
  );
  return rows.map(({ name, columns, key, ownKey }) => {
    const all = JSON.parse(columns) as string[];
    if (ownKey === 1) return { name, columns: all, key: JSON.parse(key) as string[] };
    return { name, columns: name.startsWith('sqlite') ? all : ['rowid', ...all], key: ['rowid'] };
  });
}

async function copyTable(source: Reader, target: Writer, { name, columns, key }: Table): Promise<void> {
  // What our schema begins with, and what counted the rows that were just written.
  await target.run(`DELETE FROM ${name}`);
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
    await target.run(`INSERT INTO ${name} (${list}) SELECT ${values} FROM json_each($rows)`, {
      rows: `[${page.map(({ row }) => row).join()}]`,
    });
    after = `WHERE (${key.join(', ')}) > (${key.map((_, i) => `$k${i}`).join(', ')})`;
    parameters = Object.fromEntries(key.map((_, i) => [`k${i}`, last[`k${i}`] ?? null]));
  }
}
