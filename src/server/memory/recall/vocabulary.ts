/** Which words of a question the store knows, and how rare they are. */
import type { Reader } from '../../db/sql';
import { isKeyOf } from '../entity-keys';
import { inEachLayer, OWN_LAYER, sharedSize, summed } from '../layers';
import type { Memory } from '../memory';
import { NO_NAMESPACE } from '../namespaces';
import type { QueryTerm } from './query';

/** A term of the question that the store knows. */
export interface KnownTerm extends QueryTerm {
  /** Nodes that hold it in any form; 0 when only longer words begin with it. */
  readonly frequency: number;
  /** Words that go on where it ends ("auth" → "authenticate"), the prefix variant. */
  readonly longer: readonly OtherWord[];
  /** Other words for the same thing that the store knows. */
  readonly known: readonly OtherWord[];
}

/** A word that counts in place of a word of the question. */
export interface OtherWord {
  readonly term: string;
  readonly frequency: number;
}

/** Frequencies of the common terms, kept because counting them is what costs. Belongs to one open store. */
export interface Vocabulary {
  readonly common: Map<string, number>;
  /** Size of the store when they were counted. */
  size: number;
  /** Of stems that are not common, for the look at what is like a new memory, which takes them roughly. */
  readonly rare: { readonly rows: Map<string, number>; size: number };
}

export const newVocabulary = (): Vocabulary => ({ common: new Map(), size: 0, rare: { rows: new Map(), size: 0 } });

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

/** What a question begins with. */
export interface Survey {
  readonly ns: number;
  /**
   * Nodes in the whole store, from the highest row number of each namespace: an upper bound that costs no count. At
   * least 1.
   */
  readonly size: number;
  /** Shared ones among them, as far as row numbers tell. */
  readonly shared: number;
  /** Those of the terms that occur in the store, rarest first. */
  readonly terms: readonly KnownTerm[];
  /** Entities that have one of the names: their own name by row number. */
  readonly named: ReadonlyMap<number, string>;
}

/**
 * Looks up in one statement what a question begins with: its namespace, the size of the store, how many memories hold each
 * term, and which longer words begin with it.
 */
export async function surveyStore(
  { sql, vocabulary }: Pick<Memory, 'sql' | 'vocabulary'>,
  namespace: string,
  terms: readonly QueryTerm[],
  names: readonly string[] = [],
): Promise<Survey> {
  const cached = new Map(vocabulary.common);
  const open = [...new Set(terms.flatMap(({ word, stem, related = [] }) => [word, stem, ...related]))].filter(
    (term) => !cached.has(term),
  );
  const prefixes = terms
    .slice(0, MAX_PREFIX_TERMS)
    .filter(({ word, stem }) => word.length >= MIN_PREFIX_LENGTH && !cached.has(stem));
  const row = await sql.get<SurveyRow>(surveyOf(sql, prefixes), {
    namespace,
    open: JSON.stringify(open),
    names: JSON.stringify(names),
    ...Object.fromEntries(
      prefixes.flatMap(({ word, stem }, i) => [
        [`w${i}`, word],
        [`s${i}`, stem],
      ]),
    ),
  });
  const shared = row?.shared ?? 0;
  const size = Math.max(1, (row?.size ?? 1) + shared);
  if (Math.abs(size - vocabulary.size) > vocabulary.size * SIZE_DRIFT) {
    vocabulary.common.clear();
    vocabulary.size = size;
    // Of a store of another size: those are counted again.
    if (terms.some(({ word, stem }) => cached.has(word) || cached.has(stem))) {
      return surveyStore({ sql, vocabulary }, namespace, terms, names);
    }
  }
  const exact = cached;
  for (const [term, frequency] of JSON.parse(row?.counted ?? '[]') as [string, number][]) {
    exact.set(term, frequency);
    if (frequency >= COMMON_FREQUENCY) vocabulary.common.set(term, frequency);
  }
  const longer = longerWords(prefixes, exact, JSON.parse(row?.longer ?? '[]') as LongerTuple[]);
  const known = terms.flatMap((term): KnownTerm[] => {
    // A word's own form is filed under its stem too; the larger of the two is the number of nodes.
    const frequency = Math.max(exact.get(term.stem) ?? 0, exact.get(term.word) ?? 0);
    const own = longer.get(term.word) ?? [];
    const known = (term.related ?? []).flatMap((other): OtherWord[] => {
      const nodes = exact.get(other) ?? 0;
      return nodes > 0 ? [{ term: other, frequency: nodes }] : [];
    });
    return frequency > 0 || own.length > 0 || known.length > 0 ? [{ ...term, frequency, longer: own, known }] : [];
  });
  return {
    ns: row?.ns ?? NO_NAMESPACE,
    size,
    shared,
    terms: known.sort((a, b) => a.frequency - b.frequency),
    named: new Map(JSON.parse(row?.named ?? '[]') as [number, string][]),
  };
}

interface SurveyRow {
  readonly ns: number;
  /** Of the store itself. */
  readonly size: number | null;
  readonly shared: number;
  /** The others are JSON. */
  readonly counted: string;
  readonly longer: string;
  readonly named: string;
}

/** Which of the terms asked for, a word that begins with it, and its frequency. */
type LongerTuple = readonly [i: number, term: string, frequency: number];

/** @param prefixes terms that longer words are looked up for; none for those that many memories hold as they are */
function surveyOf(sql: Reader, prefixes: readonly QueryTerm[]): string {
  const longer = prefixes.map((_, i) => `SELECT * FROM (${wordsBeginningWith(sql, i)})`).join(' UNION ALL ');
  return `WITH counted (term, doc) AS MATERIALIZED (
       ${summed(
         sql,
         (layer) =>
           `SELECT v.term, v.doc FROM json_each($open) AS asked JOIN ${layer}.mem_fts_terms AS v ON v.term = asked.value`,
       )})
     SELECT coalesce((SELECT ns FROM mem_namespaces WHERE name = $namespace), ${NO_NAMESPACE}) AS ns,
            (SELECT sum(coalesce((SELECT max(seq) FROM ${OWN_LAYER}.mem_nodes
                                  WHERE seq >= n.ns << 32 AND seq < (n.ns + 1) << 32),
                                 n.ns << 32) - (n.ns << 32)) FROM mem_namespaces AS n) AS size,
            ${sharedSize(sql)} AS shared,
            (SELECT json_group_array(json_array(term, doc)) FROM counted) AS counted,
            (SELECT json_group_array(json_array(entity, content)) FROM (${inEachLayer(
              sql,
              (layer) => `SELECT e.entity, n.content FROM json_each($names) AS asked
             CROSS JOIN ${layer}.mem_entity_names AS e ON e.ns = (SELECT ns FROM mem_namespaces WHERE name = $namespace)
               AND ${isKeyOf('e.folded', 'asked.value')}
             CROSS JOIN ${layer}.mem_nodes AS n ON n.seq = e.entity AND n.tombstoned = 0`,
            )})) AS named,
            ${longer === '' ? "'[]'" : `(SELECT json_group_array(json_array(i, term, frequency)) FROM (${longer}))`} AS longer`;
}

/** A word that many memories hold stands for itself: those that begin with it would only add noise and cost. */
const wordsBeginningWith = (sql: Reader, i: number): string =>
  `SELECT ${i} AS i, term, doc AS frequency FROM (${summed(
    sql,
    (layer) => `SELECT * FROM (SELECT term, doc FROM ${layer}.mem_fts_terms
       WHERE coalesce((SELECT doc FROM counted WHERE counted.term = $s${i}), 0) < ${ENOUGH_BY_ITSELF}
         AND term > $w${i} AND term < $w${i} || char(1114111) LIMIT ${MAX_LOOKED_AT})`,
  )})`;

function longerWords(
  asked: readonly QueryTerm[],
  exact: ReadonlyMap<string, number>,
  rows: readonly LongerTuple[],
): Map<string, readonly OtherWord[]> {
  const longer = new Map<string, OtherWord[]>(asked.map(({ word }) => [word, []]));
  for (const [i, term, frequency] of rows) {
    const { word = '', stem } = asked[i] ?? {};
    // Where the word itself is known, a common longer one would drown it.
    const drowns = (exact.get(stem ?? '') ?? 0) > 0 && frequency >= COMMON_FREQUENCY;
    if (term !== stem && !drowns) longer.get(word)?.push({ term, frequency });
  }
  return new Map(
    [...longer].map(([word, list]) => [
      word,
      list.sort((a, b) => b.frequency - a.frequency).slice(0, MAX_LONGER_WORDS),
    ]),
  );
}
