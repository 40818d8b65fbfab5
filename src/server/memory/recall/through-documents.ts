/** Finds memories through documents that speak of the same code. */
import type { Reader } from '../../db/sql';
import type { SymbolKey } from '../code/touches';
import type { Mask } from './search';

/**
 * What recall needs of the documents of a project: which symbols the sections speak of that answer a question. A
 * memory on such a symbol is reached, though it shares no word with the question.
 */
export interface DocumentIndex {
  /** Symbols with how well their sections match, at most 1. @param terms as the index of memories holds them */
  symbolsFor(terms: readonly string[]): Promise<readonly ReachedSymbol[]>;
}

export interface ReachedSymbol extends SymbolKey {
  readonly relevance: number;
}

const MOST_MEMORIES = 32;

/** @returns memories on these symbols, by row number, with the relevance of the symbol that leads there */
export async function memoriesOnReached(
  sql: Reader,
  mask: Mask,
  symbols: readonly ReachedSymbol[],
): Promise<ReadonlyMap<number, number>> {
  if (symbols.length === 0) return new Map();
  const rows = await sql.all<{ seq: number; relevance: number }>(
    `SELECT t.node AS seq, max(asked.value ->> 4) AS relevance
     FROM json_each($symbols) AS asked CROSS JOIN mem_links AS t
       ON (t.file_path = asked.value ->> 0 AND t.code_type = asked.value ->> 1 AND t.name = asked.value ->> 2)
       OR t.hash = asked.value ->> 3
     WHERE +(t.node >> 32) = $ns GROUP BY t.node ORDER BY relevance DESC LIMIT ${MOST_MEMORIES}`,
    {
      ns: mask.ns,
      symbols: JSON.stringify(symbols.map((one) => [one.file_path, one.code_type, one.name, one.hash, one.relevance])),
    },
  );
  return new Map(rows.map(({ seq, relevance }) => [seq, relevance]));
}
