/** Which words of a question the store knows, and how rare they are. */
import type { Reader } from '../../db/sql';
import { NO_NAMESPACE } from '../namespaces';
import type { QueryTerm } from './query';

/** A term of the question that the store knows. */
export interface KnownTerm extends QueryTerm {
  /** Nodes that hold it in any form; 0 when only longer words begin with it. */
  readonly frequency: number;
  /** Words that go on where it ends ("auth" → "authenticate"), the prefix variant. */
  readonly longer: readonly LongerWord[];
}

export interface LongerWord {
  readonly term: string;
  readonly frequency: number;
}

/** Frequencies of the common terms, kept because counting them is what costs. Belongs to one open store. */
export interface Vocabulary {
  readonly common: Map<string, number>;
  /** Size of the store when they were counted. */
  size: number;
}

export const newVocabulary = (): Vocabulary => ({ common: new Map(), size: 0 });

/** Rarer terms are counted again each time, so that what was stored just now is always found. */
const COMMON_FREQUENCY = 1_000;
/** Common frequencies are counted again when the store has grown or shrunk by this share. */
const SIZE_DRIFT = 0.1;
const MIN_PREFIX_LENGTH = 3;
const MAX_LONGER_WORDS = 12;
/** At most this many of the words that begin with a word of the question are looked at. */
const MAX_LOOKED_AT = 40;
/** A word that this many memories hold in some form is not looked up as a prefix. */
const ENOUGH_BY_ITSELF = 50;
/** So much of a pasted text is looked up by prefix; all of it is looked up exactly. */
const MAX_PREFIX_TERMS = 24;

/**
 * The namespace's number and the nodes in the whole store, from the highest row number of each namespace: an upper
 * bound that costs no count.
 */
export async function surveyStore(sql: Reader, namespace: string): Promise<{ ns: number; size: number }> {
  const row = await sql.get<{ ns: number; size: number }>(
    `SELECT coalesce((SELECT ns FROM mem_namespaces WHERE name = $namespace), ${NO_NAMESPACE}) AS ns,
            sum(coalesce((SELECT max(seq) FROM mem_nodes WHERE seq >= n.ns << 32 AND seq < (n.ns + 1) << 32),
                         n.ns << 32) - (n.ns << 32)) AS size
     FROM mem_namespaces AS n`,
    { namespace },
  );
  return { ns: row?.ns ?? NO_NAMESPACE, size: Math.max(1, row?.size ?? 1) };
}

/** Those of the terms that occur in the store, rarest first. */
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
    return frequency > 0 || own.length > 0 ? [{ ...term, frequency, longer: own }] : [];
  });
  return known.sort((a, b) => a.frequency - b.frequency);
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
): Promise<Map<string, readonly LongerWord[]>> {
  // A word that many memories hold stands for itself: those that begin with it would only add noise and cost.
  const asked = terms.filter(
    ({ word, stem }) => word.length >= MIN_PREFIX_LENGTH && (exact.get(stem) ?? 0) < ENOUGH_BY_ITSELF,
  );
  if (asked.length === 0) return new Map();
  const parameters = Object.fromEntries(asked.map(({ word }, i) => [`w${i}`, word]));
  const rows = await sql.all<LongerWord & { i: number }>(
    asked.map((_, i) => `SELECT * FROM (${wordsBeginningWith(i)})`).join(' UNION ALL '),
    parameters,
  );
  const longer = new Map<string, LongerWord[]>(asked.map(({ word }) => [word, []]));
  for (const { i, term, frequency } of rows) {
    const { word = '', stem } = asked[i] ?? {};
    // Where the word itself is known, a common longer one would drown it.
    const drowns = (exact.get(stem ?? '') ?? 0) > 0 && frequency >= COMMON_FREQUENCY;
    if (term !== stem && !drowns) longer.get(word)?.push({ term, frequency });
  }
  for (const [word, list] of longer) {
    longer.set(word, list.sort((a, b) => b.frequency - a.frequency).slice(0, MAX_LONGER_WORDS));
  }
  return longer;
}

const wordsBeginningWith = (i: number): string =>
  `SELECT ${i} AS i, term, doc AS frequency FROM mem_fts_terms
   WHERE term > $w${i} AND term < $w${i} || char(1114111) LIMIT ${MAX_LOOKED_AT}`;
