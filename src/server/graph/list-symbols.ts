/** Lists symbols page by page. */
import type { Reader } from '../db/sql';

export interface ListedSymbol {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
}

export interface ListSymbols {
  readonly code_type: string | undefined;
  readonly file_path: string | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface SymbolPage {
  readonly symbols: readonly ListedSymbol[];
  readonly next_cursor: string | null;
}

/** Where a page ended. */
type Position = readonly [path: string, line: number, id: number];

const FIRST: Position = ['', 0, 0];

/** Definitions in the order of their files and lines, a page at a time. @returns undefined for a foreign cursor */
export async function listSymbols(sql: Reader, asked: ListSymbols): Promise<SymbolPage | undefined> {
  const position = asked.cursor === undefined ? FIRST : readCursor(asked.cursor);
  if (!position) return undefined;
  const [path, line, id] = position;
  const rows = await sql.all<ListedSymbol & { id: number }>(
    `SELECT s.id, f.path AS file_path, s.code_type, s.qualified AS name, s.start_line, s.end_line
     FROM graph_files AS f JOIN graph_symbols AS s ON s.file = f.id
     WHERE (f.path, s.start_line, s.id) > ($path, $line, $id)
       AND ($type IS NULL OR s.code_type = $type) AND ($file IS NULL OR f.path = $file)
     ORDER BY f.path, s.start_line, s.id LIMIT $limit`,
    {
      ...{ path, line, id, type: asked.code_type ?? null, file: asked.file_path ?? null, limit: asked.limit + 1 },
    },
  );
  const page = rows.slice(0, asked.limit);
  const last = page.at(-1);
  return {
    symbols: page.map(({ id: _, ...symbol }) => symbol),
    next_cursor: last && rows.length > page.length ? writeCursor([last.file_path, last.start_line, last.id]) : null,
  };
}

function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function readCursor(cursor: string): Position | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(value) || value.length !== 3) return undefined;
    const [path, line, id]: unknown[] = value;
    return typeof path === 'string' && typeof line === 'number' && typeof id === 'number'
      ? [path, line, id]
      : undefined;
  } catch {
    return undefined;
  }
}
