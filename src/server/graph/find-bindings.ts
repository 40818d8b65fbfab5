/** Finds the document sections that are bound to symbols. */
import type { Reader } from '../db/sql';
import type { Binding, BoundSymbol } from './bindings';

/** A binding of a symbol with the section that it leads to. */
export interface SectionBinding extends Binding {
  readonly document: string;
  readonly heading: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly judged_hash: string;
}

/** For each symbol its bindings, surest first: by what it is called, or by its text. */
export async function bindingsOfSymbols(
  sql: Reader,
  symbols: readonly BoundSymbol[],
  least: number,
): Promise<SectionBinding[][]> {
  const rows = await sql.all<SectionBinding & { i: number }>(
    `SELECT DISTINCT asked.key AS i, b.file_path, b.code_type, b.name, b.hash, b.confidence, b.reason, b.provider, b.model,
            d.path AS document, s.heading, s.start_line, s.end_line, s.judged_hash
     FROM json_each($symbols) AS asked CROSS JOIN graph_bindings AS b
       ON (b.file_path = asked.value ->> 0 AND b.code_type = asked.value ->> 1 AND b.name = asked.value ->> 2)
       OR b.hash = asked.value ->> 3
     JOIN graph_sections AS s ON s.id = b.section JOIN graph_documents AS d ON d.id = s.document
     WHERE b.confidence >= $least ORDER BY b.confidence DESC, d.path, s.start_line`,
    { least, symbols: JSON.stringify(symbols.map((one) => [one.file_path, one.code_type, one.name, one.hash])) },
  );
  const found = symbols.map((): SectionBinding[] => []);
  for (const { i, ...one } of rows) found[i]?.push(one);
  return found;
}

/** A symbol that a section answering a question is bound to. */
export interface ReachedSymbol extends BoundSymbol {
  /** How well the section matches, 1 for the best, times how sure the binding is. */
  readonly relevance: number;
}

/** The symbols of the sections that match best. @param match an expression of the full-text index */
export function symbolsOfSections(
  sql: Reader,
  match: string,
  limits: { readonly sections: number; readonly symbols: number; readonly least: number },
): Promise<ReachedSymbol[]> {
  return sql.all<ReachedSymbol>(
    `WITH hit AS MATERIALIZED (
       SELECT rowid AS section, rank FROM graph_section_fts WHERE graph_section_fts MATCH $match
       ORDER BY rank LIMIT $sections)
     SELECT b.file_path, b.code_type, b.name, b.hash,
            max(hit.rank / (SELECT min(rank) FROM hit) * b.confidence) AS relevance
     FROM hit CROSS JOIN graph_bindings AS b ON b.section = hit.section
     WHERE b.confidence >= $least
     GROUP BY b.file_path, b.code_type, b.name, b.hash ORDER BY relevance DESC LIMIT $symbols`,
    { match, ...limits },
  );
}

export async function hasBindings(sql: Reader): Promise<boolean> {
  return (await sql.get('SELECT 1 FROM graph_bindings LIMIT 1')) !== undefined;
}

/** Whether a section is bound to a symbol of this file, or to the text of one. */
export async function speaksOfFile(sql: Reader, path: string): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 FROM graph_bindings WHERE file_path = $path
     UNION ALL
     SELECT 1 FROM graph_files AS f CROSS JOIN graph_symbols AS s ON s.file = f.id
     CROSS JOIN graph_bindings AS b ON b.hash = s.hash WHERE f.path = $path LIMIT 1`,
    { path },
  );
  return row !== undefined;
}
