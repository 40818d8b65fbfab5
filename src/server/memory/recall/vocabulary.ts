import type { Reader } from '../../db/sql';
import type { QueryTerm } from './query';

/** A term of the question that the store knows. */
export interface KnownTerm extends QueryTerm {
  /** Nodes that hold it in any form; 0 when only longer words begin with it. */
  readonly frequency: number;
  /** Words that go on where it ends ("auth" → "authenticate"), the prefix variant. */
  readonly longer: readonly { readonly term: string; readonly frequency: number }[];
  /** Full-text entries that matching it goes through. */
  readonly postings: number;
}

/** Frequencies of the common terms, kept because counting them is what costs. Belongs to one open store. */
export interface Vocabulary {
  readonly common: Map<string, number>;
  /** Size of the store when they were counted. */
  size: number;
}

export const newVocabulary = (): Vocabulary => ({ common: new Map(), size: 0 });

/** Rarer terms are counted anew each time, so that what was stored just now is always found. */
const COMMON_FREQUENCY = 1_000;
/** Common frequencies are counted anew when the store has grown or shrunk by this share. */
const SIZE_DRIFT = 0.1;
const MIN_PREFIX_LENGTH = 3;
const MAX_LONGER_WORDS = 12;
/** So much of a pasted text is looked up by prefix; all of it is looked up exactly. */
const MAX_PREFIX_TERMS = 24;

/** Nodes in the whole store, from the highest row number of each namespace: an upper bound that costs no count. */
export async function storeSize(sql: Reader): Promise<number> {
  const row = await sql.get<{ size: number }>(
    `SELECT sum(coalesce((SELECT max(seq) FROM mem_nodes WHERE seq >= n.ns << 32 AND seq < (n.ns + 1) << 32),
                         n.ns << 32) - (n.ns << 32)) AS size
     FROM mem_namespaces AS n`,
  );
  return Math.max(1, row?.size ?? 1);
}

/** Those of the terms that occur in the store, those with the fewest postings first. */
export async function knownTerms(
  sql: Reader,
  vocabulary: Vocabulary,
  size: number,
  terms: readonly QueryTerm[],
): Promise<KnownTerm[]> {
  if (terms.length === 0) return [];
  if (Math.abs(size - vocabulary.size) > vocabulary.size * SIZE_DRIFT) {
    vocabulary.common.clear();
    vocabulary.size = size;
  }
  const exact = await frequencies(sql, vocabulary, [...new Set(terms.flatMap(({ word, stem }) => [word, stem]))]);
  const longer = await longerWords(sql, terms.slice(0, MAX_PREFIX_TERMS), exact);
  const known = terms.flatMap((term): KnownTerm[] => {
    // A word's own form is filed under its stem too; the larger of the two is the number of nodes.
    const frequency = Math.max(exact.get(term.stem) ?? 0, exact.get(term.word) ?? 0);
    const own = longer.get(term.word) ?? [];
    const postings = own.reduce((sum, { frequency: each }) => sum + each, frequency);
    return postings > 0 ? [{ ...term, frequency, longer: own, postings }] : [];
  });
  return known.sort((a, b) => a.postings - b.postings);
}

async function frequencies(
  sql: Reader,
  vocabulary: Vocabulary,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const open: string[] = [];
  for (const term of terms) {
    const known = vocabulary.common.get(term);
    if (known === undefined) open.push(term);
    else found.set(term, known);
  }
  if (open.length > 0) {
    const rows = await sql.all<{ term: string; doc: number }>(
      `SELECT v.term, v.doc FROM json_each($open) AS asked JOIN mem_fts_terms AS v ON v.term = asked.value`,
      { open: JSON.stringify(open) },
    );
    for (const { term, doc } of rows) {
      found.set(term, doc);
      if (doc >= COMMON_FREQUENCY) vocabulary.common.set(term, doc);
    }
  }
  return found;
}

async function longerWords(
  sql: Reader,
  terms: readonly QueryTerm[],
  exact: ReadonlyMap<string, number>,
): Promise<Map<string, KnownTerm['longer'][number][]>> {
  const longer = new Map<string, KnownTerm['longer'][number][]>();
  // A common word stands for itself: the words that begin with it would only add noise and cost.
  const asked = terms.filter(
    ({ word, stem }) => word.length >= MIN_PREFIX_LENGTH && (exact.get(stem) ?? 0) < COMMON_FREQUENCY,
  );
  if (asked.length === 0) return longer;
  const rows = await sql.all<{ word: string; term: string; doc: number }>(
    `SELECT asked.value AS word, v.term, v.doc FROM json_each($asked) AS asked
     JOIN mem_fts_terms AS v ON v.term > asked.value AND v.term < asked.value || char(1114111)
     ORDER BY v.doc DESC`,
    { asked: JSON.stringify(asked.map(({ word }) => word)) },
  );
  const stems = new Map(asked.map(({ word, stem }) => [word, stem]));
  for (const { word, term, doc } of rows) {
    const list = longer.get(word) ?? [];
    const known = (exact.get(stems.get(word) ?? word) ?? 0) > 0;
    // Where the word itself is known, a common longer one would drown it.
    if (term === stems.get(word) || list.length >= MAX_LONGER_WORDS || (known && doc >= COMMON_FREQUENCY)) continue;
    list.push({ term, frequency: doc });
    longer.set(word, list);
  }
  return longer;
}
