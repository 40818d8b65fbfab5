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

export interface StoredFile {
  readonly id: number;
  readonly path: string;
  readonly content_hash: string;
  readonly text_hash: string;
  readonly size: number;
  readonly modified_ms: number;
  readonly lines: number;
}

export const SYMBOL_COLUMNS = `s.id, f.path AS file_path, s.code_type, s.name, s.qualified, s.hash, s.start_line,
  s.end_line, s.signature, s.doc`;
const FROM = 'FROM graph_symbols AS s JOIN graph_files AS f ON f.id = s.file';
const FILE_COLUMNS = 'id, path, content_hash, text_hash, size, modified_ms, lines';

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

export function symbolsWithHash(sql: Reader, hashes: readonly string[]): Promise<StoredSymbol[]> {
  return sql.all<StoredSymbol>(
    `SELECT ${SYMBOL_COLUMNS} ${FROM}
     WHERE s.hash IN (SELECT value FROM json_each($hashes)) ORDER BY f.path, s.start_line`,
    { hashes: JSON.stringify(hashes) },
  );
}

export function symbolsOfFile(sql: Reader, path: string): Promise<StoredSymbol[]> {
  return sql.all<StoredSymbol>(
    `SELECT ${SYMBOL_COLUMNS} ${FROM} WHERE f.path = $path ORDER BY s.start_line, s.end_line DESC`,
    { path },
  );
}

export function storedFile(sql: Reader, path: string): Promise<StoredFile | undefined> {
  return sql.get<StoredFile>(`SELECT ${FILE_COLUMNS} FROM graph_files WHERE path = $path`, { path });
}

export function filesWithHash(sql: Reader, hashes: readonly string[]): Promise<StoredFile[]> {
  return sql.all<StoredFile>(
    `SELECT ${FILE_COLUMNS} FROM graph_files WHERE text_hash IN (SELECT value FROM json_each($hashes)) ORDER BY path`,
    { hashes: JSON.stringify(hashes) },
  );
}

export function symbolsById(sql: Reader, ids: readonly number[]): Promise<StoredSymbol[]> {
  return sql.all<StoredSymbol>(`SELECT ${SYMBOL_COLUMNS} ${FROM} WHERE s.id IN (SELECT value FROM json_each($ids))`, {
    ids: JSON.stringify(ids),
  });
}
