/** What a node is found by. */
import { seen } from '../../base/text';
import { analyzeLines } from './analyze';

/** The three columns of the full-text index. */
export type SearchTerms = readonly [words: string, stems: string, context: string];

/** Words, stems, and the terms of what stands around the content. */
export function searchTerms(content: string, around: readonly string[]): SearchTerms {
  const { words, stems } = analyzeLines(content);
  return [words, stems, contextTerms(around)];
}

/** The third column alone. */
export function contextTerms(around: readonly string[]): string {
  const context: string[] = [];
  for (const text of around) {
    const terms = analyzeLines(text);
    context.push(terms.words, terms.stems);
  }
  return context.filter((terms) => terms !== '').join(' ');
}

/**
 * The text as it is kept: without what nobody sees. SQLite ends a text out of JSON at its first NUL, so NULs go, and
 * lone surrogates.
 */
export function storable(text: string): string {
  const own = seen(text);
  return own.includes('\0') ? own.replaceAll('\0', '\ufffd') : own;
}

/** The texts around the content that search matches too: names of entities, rationale, rejected alternatives. */
export function surroundings(
  names: readonly string[],
  rationale: string | null,
  alternatives: readonly string[],
): string[] {
  return [...names, rationale ?? '', ...alternatives];
}
