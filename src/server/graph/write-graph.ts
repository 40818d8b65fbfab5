/** Writes files, symbols and references. */
import { timestamp } from '../base/clock';
import type { Database, Reader, Writer } from '../db/sql';
import { type FileToWrite, type GraphRows, graphRows, type TermsOf } from './graph-rows';

/** The one file that writes the tables of the graph. */

export interface KnownFile {
  readonly id: number;
  readonly path: string;
  readonly content_hash: string;
  readonly size: number;
  readonly modified_ms: number;
  readonly indexed_ms: number;
}

/** What a write changed: the files, and the symbols and texts that are new in them. */
export interface GraphChanges {
  readonly paths: Set<string>;
  /** Of symbols: bare, qualified, and each behind `path#`; paths of new files. */
  readonly names: Set<string>;
  /** Of the texts of symbols and of whole files. */
  readonly hashes: Set<string>;
}

export function noChanges(): GraphChanges {
  return { paths: new Set(), names: new Set(), hashes: new Set() };
}

export function knownFiles(sql: Reader): Promise<KnownFile[]> {
  return sql.all<KnownFile>('SELECT id, path, content_hash, size, modified_ms, indexed_ms FROM graph_files');
}

/**
 * Replaces these files in one transaction.
 * @param now milliseconds
 * @param changes where to note what is new
 */
export function writeFiles(
  graph: Database,
  files: readonly FileToWrite[],
  now: number,
  termsOf: TermsOf,
  changes?: GraphChanges,
): Promise<void> {
  return writeRows(graph, [graphRows(files, termsOf)], now, changes);
}

/** The same for files that are rows already. */
export function writeRows(
  graph: Database,
  batches: readonly GraphRows[],
  now: number,
  changes?: GraphChanges,
): Promise<void> {
  return graph.transact(async (sql) => {
    const paths = batches.flatMap((batch) => batch.paths);
    const known = await textsIn(sql, paths);
    await deleteRows(sql, paths);
    const last = await sql.get<{ file: number; symbol: number }>(
      `SELECT (SELECT coalesce(max(id), 0) FROM graph_files) AS file,
              (SELECT coalesce(max(id), 0) FROM graph_symbols) AS symbol`,
    );
    const first = last?.file ?? 0;
    let file = first;
    let symbol = last?.symbol ?? 0;
    for (const rows of batches) {
      await insert(sql, rows, { file, symbol, now });
      file += rows.paths.length;
      symbol += rows.symbols;
    }
    if (known.size > 0) {
      await keepSince(sql, first);
      await noteBack(sql, first, now);
    }
    if (changes) await noteChanges(sql, { first, now, known }, changes);
  });
}

async function insert(
  sql: Writer,
  rows: GraphRows,
  { file, symbol, now }: { file: number; symbol: number; now: number },
): Promise<void> {
  await sql.run(
    `INSERT INTO graph_files
       (id, path, language, content_hash, text_hash, size, modified_ms, indexed_ms, lines, since)
     SELECT $file + (value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, $now,
            value ->> 7, $now
     FROM json_each($rows)`,
    { rows: rows.fileRows, file, now },
  );
  if (rows.symbols > 0) {
    await sql.run(
      `INSERT INTO graph_symbols
         (id, file, code_type, name, qualified, hash, start_line, end_line, signature, doc, since)
       SELECT $symbol + (value ->> 0), $file + (value ->> 1), value ->> 2, value ->> 3, value ->> 4, value ->> 5,
              value ->> 6, value ->> 7, value ->> 8, value ->> 9, $now
       FROM json_each($rows)`,
      { rows: rows.symbolRows, file, symbol, now },
    );
    await sql.run(
      `INSERT INTO graph_fts (rowid, names, doc, path)
       SELECT $symbol + (value ->> 0), value ->> 1, value ->> 2, value ->> 3 FROM json_each($rows)`,
      { rows: rows.termRows, symbol },
    );
  }
  await sql.run(
    `INSERT INTO graph_references (file, symbol, kind, name, module, line, qualifier)
     SELECT $file + (value ->> 0), coalesce($symbol + (value ->> 1), 0), value ->> 2, value ->> 3, value ->> 4,
            value ->> 5, value ->> 6
     FROM json_each($rows)`,
    { rows: rows.referenceRows, file, symbol },
  );
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
  return graph.transact((sql) => putFact(sql, name, value));
}

function putFact(sql: Writer, name: string, value: string): Promise<number> {
  return sql.run('INSERT INTO graph_facts VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = $value', {
    name,
    value,
  });
}

/** Every file counts as changed when the graph was made in another way than `way`. */
export async function readAnewUnless(graph: Database, way: string): Promise<void> {
  if ((await readExtraction(graph)) === way) return;
  await graph.transact(async (sql) => {
    await sql.run("UPDATE graph_files SET content_hash = '', modified_ms = 0");
    await putFact(sql, EXTRACTION, way);
  });
}

const EXTRACTION = 'extraction';

/** In which way the graph was made; undefined before the first build. */
export function readExtraction(sql: Reader): Promise<string | undefined> {
  return readFact(sql, EXTRACTION);
}

export async function readFact(sql: Reader, name: string): Promise<string | undefined> {
  const row = await sql.get<{ value: string }>('SELECT value FROM graph_facts WHERE name = $name', { name });
  return row?.value;
}

/** What stood in the files that are written again, while that lasts; a file itself has neither type nor name. */
const TEXTS_BEFORE = `CREATE TEMP TABLE IF NOT EXISTS texts_before (
  path TEXT, type TEXT, name TEXT, hash TEXT, since INTEGER, PRIMARY KEY (path, type, name, hash)) WITHOUT ROWID`;

/** Notes since when the texts in these files stand there. @returns those of the files that are known */
async function textsIn(sql: Writer, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const list = { paths: JSON.stringify(paths) };
  const files = await sql.all<{ path: string }>(
    'SELECT path FROM graph_files WHERE path IN (SELECT value FROM json_each($paths))',
    list,
  );
  if (files.length === 0) return new Set();
  await sql.run(TEXTS_BEFORE);
  await sql.run('DELETE FROM texts_before');
  await sql.run(
    `INSERT OR IGNORE INTO texts_before
     SELECT path, '', '', text_hash, since FROM graph_files WHERE path IN (SELECT value FROM json_each($paths))
     UNION ALL
     SELECT f.path, s.code_type, s.qualified, s.hash, s.since
     FROM graph_files AS f CROSS JOIN graph_symbols AS s ON s.file = f.id
     WHERE f.path IN (SELECT value FROM json_each($paths))`,
    list,
  );
  return new Set(files.map((file) => file.path));
}

/** What stood in its file before keeps the time since when it does. @param first files above this id are new */
async function keepSince(sql: Writer, first: number): Promise<void> {
  await sql.run(
    `UPDATE graph_files SET since = coalesce(
       (SELECT b.since FROM texts_before AS b WHERE b.path = graph_files.path AND b.type = '' AND b.name = ''
          AND b.hash = text_hash), since)
     WHERE id > $first`,
    { first },
  );
  await sql.run(
    `UPDATE graph_symbols SET since = coalesce(
       (SELECT b.since FROM texts_before AS b WHERE b.path = (SELECT path FROM graph_files WHERE id = file)
          AND b.type = code_type AND b.name = qualified AND b.hash = graph_symbols.hash), since)
     WHERE file > $first`,
    { first },
  );
}

/**
 * A copy of what a symbol is again, after it was something else, is as good as one that is made now.
 * @param first as in `keepSince`
 */
async function noteBack(sql: Writer, first: number, now: number): Promise<void> {
  await sql.run(
    `UPDATE graph_texts SET kept_at = $at WHERE (hash, name) IN (
       SELECT s.hash, s.qualified FROM graph_files AS f CROSS JOIN graph_symbols AS s ON s.file = f.id
       WHERE f.id > $first AND s.since = $now AND EXISTS (
         SELECT 1 FROM texts_before AS b WHERE b.path = f.path AND b.type = s.code_type AND b.name = s.qualified))`,
    { first, now, at: timestamp(now) },
  );
}

/** Of the files that were written in this transaction: those with an id above the first. */
async function noteChanges(
  sql: Reader,
  { first, now, known }: { first: number; now: number; known: ReadonlySet<string> },
  changes: GraphChanges,
): Promise<void> {
  const files = await sql.all<{ path: string; hash: string; since: number }>(
    'SELECT path, text_hash AS hash, since FROM graph_files WHERE id > $first',
    { first },
  );
  for (const { path, hash, since } of files) {
    changes.paths.add(path);
    if (!known.has(path)) changes.names.add(path);
    if (since === now) changes.hashes.add(hash);
  }
  const symbols = await sql.all<{ path: string; name: string; qualified: string; hash: string }>(
    `SELECT f.path, s.name, s.qualified, s.hash FROM graph_files AS f CROSS JOIN graph_symbols AS s ON s.file = f.id
     WHERE f.id > $first AND s.since = $now`,
    { first, now },
  );
  for (const { path, name, qualified, hash } of symbols) {
    changes.names.add(name).add(qualified).add(`${path}#${name}`).add(`${path}#${qualified}`);
    changes.hashes.add(hash);
  }
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
