/** Finds symbols in the code graph. */
import type { Reader } from '../db/sql';

/** A definition as the last build found it. */
export interface StoredSymbol {
  readonly id: number;
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
  readonly qualified: string;
  readonly hash: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly doc: string;
}

/** Enough for any project, and a bound for the others. */
const MAX_COMPARED = 20_000;

export const SYMBOL_COLUMNS = `s.id, f.path AS file_path, s.code_type, s.name, s.qualified, s.hash, s.start_line,
  s.end_line, s.signature, s.doc`;
const FROM = 'FROM graph_symbols AS s JOIN graph_files AS f ON f.id = s.file';

export async function symbolsNamed(sql: Reader, names: readonly string[]): Promise<StoredSymbol[]> {
  if (names.length === 0) return [];
  return sql.all<StoredSymbol>(
    `SELECT ${SYMBOL_COLUMNS} ${FROM}
     WHERE s.id IN (SELECT id FROM graph_symbols WHERE name IN (SELECT value FROM json_each($names))
                    UNION SELECT id FROM graph_symbols WHERE qualified IN (SELECT value FROM json_each($names)))
     ORDER BY f.path, s.start_line`,
    { names: JSON.stringify(names) },
  );
}

/** The files that are one of these texts, or in which a symbol is; each text with each of its files once. */
export function filesWithText(sql: Reader, hashes: readonly string[]): Promise<{ hash: string; path: string }[]> {
  return sql.all(
    `SELECT s.hash, f.path FROM json_each($hashes) AS asked CROSS JOIN graph_symbols AS s ON s.hash = asked.value
     CROSS JOIN graph_files AS f ON f.id = s.file
     UNION SELECT f.text_hash, f.path FROM json_each($hashes) AS asked CROSS JOIN graph_files AS f ON f.text_hash = asked.value
     ORDER BY 2`,
    { hashes: JSON.stringify(hashes) },
  );
}

/** The paths of its sources, as far as names are compared with them. */
export async function pathsInGraph(sql: Reader): Promise<string[]> {
  const rows = await sql.all<{ path: string }>(`SELECT path FROM graph_files ORDER BY path LIMIT ${MAX_COMPARED}`);
  return rows.map(({ path }) => path);
}

/** The files in which a symbol has one of these qualified names; each name with each of its files once. */
export function filesWithSymbol(sql: Reader, qualified: readonly string[]): Promise<{ name: string; path: string }[]> {
  return filesWithName(sql, 'qualified', qualified);
}

/** The same by the last part of the name. */
export function filesWithNamesake(sql: Reader, names: readonly string[]): Promise<{ name: string; path: string }[]> {
  return filesWithName(sql, 'name', names);
}

function filesWithName(
  sql: Reader,
  column: 'qualified' | 'name',
  names: readonly string[],
): Promise<{ name: string; path: string }[]> {
  return sql.all(
    `SELECT DISTINCT s.${column} AS name, f.path FROM json_each($names) AS asked
     CROSS JOIN graph_symbols AS s ON s.${column} = asked.value CROSS JOIN graph_files AS f ON f.id = s.file
     ORDER BY 2`,
    { names: JSON.stringify(names) },
  );
}

/** A file and what the last build found in it. */
export interface FileWithSymbols {
  readonly path: string;
  readonly text_hash: string;
  /** Of its bytes. */
  readonly content_hash: string;
  readonly size: number;
  readonly modified_ms: number;
  readonly lines: number;
  /** When this text was first found there, in milliseconds. */
  readonly since: number;
  /** In order of lines; `name` is qualified. */
  readonly symbols: readonly SymbolInFile[];
}

export interface SymbolInFile {
  readonly code_type: string;
  readonly name: string;
  readonly hash: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly since: number;
}

/** The files at these paths that the graph knows. */
export async function filesWithSymbols(
  sql: Reader,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileWithSymbols>> {
  const rows = await sql.all<Omit<FileWithSymbols, 'symbols'> & { symbols: string }>(
    `SELECT f.path, f.text_hash, f.content_hash, f.size, f.modified_ms, f.lines, f.since,
       (SELECT json_group_array(json_array(code_type, qualified, hash, start_line, end_line, since)) FROM (
          SELECT code_type, qualified, hash, start_line, end_line, since FROM graph_symbols
          WHERE file = f.id ORDER BY start_line, end_line DESC)) AS symbols
     FROM json_each($paths) AS asked CROSS JOIN graph_files AS f ON f.path = asked.value`,
    { paths: JSON.stringify(paths) },
  );
  return new Map(
    rows.map((row) => {
      const symbols = JSON.parse(row.symbols) as [string, string, string, number, number, number][];
      const named = symbols.map(([code_type, name, hash, start_line, end_line, since]) => ({
        ...{ code_type, name, hash, start_line, end_line, since },
      }));
      return [row.path, { ...row, symbols: named }];
    }),
  );
}

export function symbolsById(sql: Reader, ids: readonly number[]): Promise<StoredSymbol[]> {
  return sql.all<StoredSymbol>(`SELECT ${SYMBOL_COLUMNS} ${FROM} WHERE s.id IN (SELECT value FROM json_each($ids))`, {
    ids: JSON.stringify(ids),
  });
}
