import type { Database, Reader, Writer } from '../db/sql';
import type { Extracted } from './extract';

/** The one file that writes the tables of the graph. */

/** The terms under which text is found, separated by spaces. */
export type TermsOf = (text: string) => string;

export interface KnownFile {
  readonly id: number;
  readonly path: string;
  readonly content_hash: string;
  readonly size: number;
  readonly modified_ms: number;
  readonly indexed_ms: number;
}

export interface FileToWrite {
  readonly path: string;
  readonly language: string;
  readonly content_hash: string;
  readonly size: number;
  readonly modified_ms: number;
  readonly extracted: Extracted;
}

export function knownFiles(sql: Reader): Promise<KnownFile[]> {
  return sql.all<KnownFile>('SELECT id, path, content_hash, size, modified_ms, indexed_ms FROM graph_files');
}

/** Replaces these files in one transaction. @param now milliseconds */
export function writeFiles(
  graph: Database,
  files: readonly FileToWrite[],
  now: number,
  termsOf: TermsOf,
): Promise<void> {
  return graph.transact(async (sql) => {
    await deleteRows(
      sql,
      files.map((file) => file.path),
    );
    const last = await sql.get<{ file: number; symbol: number }>(
      `SELECT (SELECT coalesce(max(id), 0) FROM graph_files) AS file,
              (SELECT coalesce(max(id), 0) FROM graph_symbols) AS symbol`,
    );
    let fileId = last?.file ?? 0;
    let symbolId = last?.symbol ?? 0;
    const fileRows: unknown[] = [];
    const symbolRows: unknown[] = [];
    const termRows: unknown[] = [];
    const referenceRows: unknown[] = [];
    for (const { path, language, content_hash, size, modified_ms, extracted } of files) {
      const file = ++fileId;
      const first = symbolId + 1;
      const pathTerms = termsOf(path);
      fileRows.push([file, path, language, content_hash, extracted.hash, size, modified_ms, now, extracted.lines]);
      for (const one of extracted.definitions) {
        const id = ++symbolId;
        symbolRows.push([
          ...[id, file, one.code_type, one.name, one.qualified, one.hash],
          ...[one.start_line, one.end_line, one.signature, one.doc],
        ]);
        termRows.push([id, termsOf(one.qualified), termsOf(one.doc), pathTerms]);
      }
      for (const { kind, name, module, line, within } of extracted.references) {
        referenceRows.push([file, within < 0 ? 0 : first + within, kind, name, module, line]);
      }
    }
    await insert(sql, 'graph_files', fileRows, 9);
    await insert(sql, 'graph_symbols', symbolRows, 10);
    await insert(sql, 'graph_fts (rowid, names, doc, path)', termRows, 4);
    await insert(sql, 'graph_references', referenceRows, 6);
  });
}

/** Files whose bytes are what they were: only their times are new. */
export function noteTimes(graph: Database, files: readonly { path: string; modified_ms: number }[], now: number) {
  return graph.transact((sql) =>
    sql.run(
      `UPDATE graph_files SET modified_ms = changed.value ->> 1, indexed_ms = changed.value ->> 2
       FROM json_each($rows) AS changed WHERE graph_files.path = changed.value ->> 0`,
      { rows: JSON.stringify(files.map(({ path, modified_ms }) => [path, modified_ms, now])) },
    ),
  );
}

export function removeFiles(graph: Database, paths: readonly string[]): Promise<void> {
  return graph.transact((sql) => deleteRows(sql, paths));
}

export function writeFact(graph: Database, name: string, value: string): Promise<number> {
  return graph.transact((sql) =>
    sql.run('INSERT INTO graph_facts VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = $value', {
      name,
      value,
    }),
  );
}

async function deleteRows(sql: Writer, paths: readonly string[]): Promise<void> {
  const rows = await sql.all<{ id: number }>(
    'SELECT id FROM graph_files WHERE path IN (SELECT value FROM json_each($paths))',
    { paths: JSON.stringify(paths) },
  );
  if (rows.length === 0) return;
  const files = JSON.stringify(rows.map((row) => row.id));
  const inFiles = 'file IN (SELECT value FROM json_each($files))';
  await sql.run(`DELETE FROM graph_fts WHERE rowid IN (SELECT id FROM graph_symbols WHERE ${inFiles})`, { files });
  await sql.run(`DELETE FROM graph_symbols WHERE ${inFiles}`, { files });
  await sql.run(`DELETE FROM graph_references WHERE ${inFiles}`, { files });
  await sql.run('DELETE FROM graph_files WHERE id IN (SELECT value FROM json_each($files))', { files });
}

async function insert(sql: Writer, table: string, rows: readonly unknown[], columns: number): Promise<void> {
  if (rows.length === 0) return;
  const values = Array.from({ length: columns }, (_, i) => `value ->> ${i}`).join(', ');
  await sql.run(`INSERT INTO ${table} SELECT ${values} FROM json_each($rows)`, { rows: JSON.stringify(rows) });
}
