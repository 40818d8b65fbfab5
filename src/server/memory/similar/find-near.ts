/** Finds open memories that say of the same thing something else. */
import type { MemoryKind } from '../../../kinds/kinds';
import type { Reader } from '../../db/sql';
import { inEachLayer, layersOf, OWN_LAYER, SHARED_NAMESPACE, sharedSize, summed } from '../layers';
import type { Memory } from '../memory';
import type { Vocabulary } from '../recall/vocabulary';
import { FEWEST_COMMON, likenessOf, type Weights } from './likeness';
import { LOOKED_AT, nameOtherCode, valueSentences, wholeText } from './value-sentences';

/** What holds until something else does; an action or an outcome has happened, and is replaced by nothing. */
const LASTING: readonly MemoryKind[] = ['fact', 'decision', 'procedure', 'preference'];
export const LASTING_SQL = LASTING.map((kind) => `'${kind}'`).join();

/** The rarest stems that are looked up. */
const MOST_STEMS = 8;
/** Full-text rows that they may have together: what bounds the time at any size of the store. */
const MOST_ROWS = 1_500;
/** How many of the rarest terms may take all of these rows; more are looked up only where few memories hold them. */
const FEW_STEMS = 4;
const FEW_ROWS = 500;
/** A stem that more memories hold is not counted again. */
const COMMON = 1_000;
/** Counts of rarer ones are kept until the store has grown by this share, and so many of them. */
const SIZE_DRIFT = 0.1;
const MOST_KEPT = 20_000;
/** A memory is read when the stems looked up that it shares with one sentence have this share of that sentence's weight. */
const SMALLEST_SHARE = 0.2;
/** Of these, those that share most are looked up, because some are closed. */
const MOST_READ = 100;
/** How many open memories are compared sentence by sentence. */
export const MOST_COMPARED = 12;
/** How texts are compared: by these parts of them, the cosine of whose weighed stems is at least that; but for texts that are apart. */
export interface Measure {
  readonly parts: (text: string) => readonly ReadonlySet<string>[];
  readonly least: number;
  readonly areApart: (text: string, other: string) => boolean;
}

/** Measured on conventions that are given and later changed. */
const BY_VALUES: Measure = { parts: valueSentences, least: 0.3, areApart: () => false };
/**
 * What people are told of, too. Measured on 336 memories of four projects: eleven pairs that say nearly the same are at 0.81 and
 * more, no other one is above 0.47. Four of the eleven state no value.
 */
export const NEARLY_THE_SAME: Measure = { parts: wholeText, least: 0.6, areApart: nameOtherCode };
const MOST_NEAR = 3;

export interface NewText {
  readonly content: string;
  readonly kind: MemoryKind;
  readonly namespace: string;
  /** It is one of the memories itself: a stem that one alone holds leads to no other. */
  readonly isStored?: boolean;
}

/**
 * Ids of open memories that are like a text by a measure; without one, those that have a sentence like one of its own, apart
 * from the value that it states (a quoted word, a name of code, a number). The best three, best first. Looks beside the
 * transaction: what another process stores at this very moment is not seen, nor is what a stranger shares. No text is read but
 * of memories that hold two of the stems of one part.
 */
export async function findNear(
  { sql, shared, vocabulary }: Pick<Memory, 'sql' | 'shared' | 'vocabulary'>,
  { content, kind, namespace, isStored = false }: NewText,
  { parts, least, areApart }: Measure = BY_VALUES,
): Promise<string[]> {
  if (!LASTING.includes(kind)) return [];
  const sentences = parts(content);
  const stems = [...new Set(sentences.flatMap((sentence) => [...sentence]))];
  const rare = stems.filter((stem) => !vocabulary.common.has(stem));
  if (rare.length < FEWEST_COMMON) return [];
  const known = rare.flatMap((stem): [string, number][] => {
    const rows = vocabulary.rare.rows.get(stem);
    return rows === undefined ? [] : [[stem, rows]];
  });
  const row = await sql.get<Row>(findIn(shared.foreign ? { layers: [OWN_LAYER] } : sql), {
    namespace,
    stems: JSON.stringify(rare.filter((stem) => !vocabulary.rare.rows.has(stem))),
    known: JSON.stringify(known),
    alone: isStored ? 1 : 0,
  });
  const counted = new Map(JSON.parse(row?.counted ?? '[]') as [string, number][]);
  const size = row?.size ?? 1;
  keepCounts(vocabulary, counted, size);
  const weigh = weighing((stem) => counted.get(stem) ?? vocabulary.common.get(stem) ?? 0, size);
  const seqs = mostTelling(JSON.parse(row?.chosen ?? '[]'), JSON.parse(row?.holders ?? '[]'), sentences, weigh);
  if (seqs.length === 0) return [];
  const texts = await sql.all<{ id: string; text: string }>(READ, { seqs: JSON.stringify(seqs) });
  return texts
    .map(({ id, text }) => ({ id, text, likeness: likenessOf(sentences, parts(text), weigh) }))
    .filter(({ text, likeness }) => likeness >= least && !areApart(content, text))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST_NEAR)
    .map(({ id }) => id);
}

/** @param rowsOf how many memories hold a stem @param size of the namespace */
export function weighing(rowsOf: (stem: string) => number, size: number): Weights {
  const known = new Map<string, number>();
  return (stem) => {
    const weight = known.get(stem) ?? Math.log(1 + size / (rowsOf(stem) + 0.5));
    known.set(stem, weight);
    return weight;
  };
}

/** The rarest stems, few enough that who holds them is looked up in little time: what `findIn` chooses. */
export function rarest(stems: readonly string[], rowsOf: (stem: string) => number): string[] {
  let rows = 0;
  return [...stems]
    .sort((a, b) => rowsOf(a) - rowsOf(b) || (a < b ? -1 : 1))
    .filter((stem, place) => {
      rows += rowsOf(stem);
      return place < MOST_STEMS && rows <= (place < FEW_STEMS ? MOST_ROWS : FEW_ROWS);
    });
}

/** Counting costs more than looking up; a store of nearly the same size has nearly the same counts. */
function keepCounts(vocabulary: Vocabulary, counted: ReadonlyMap<string, number>, size: number): void {
  const { rare, common } = vocabulary;
  if (Math.abs(size - rare.size) > rare.size * SIZE_DRIFT || rare.rows.size > MOST_KEPT) {
    rare.rows.clear();
    rare.size = size;
    return;
  }
  for (const [stem, rows] of counted) {
    if (rows >= COMMON) {
      common.set(stem, rows);
      rare.rows.delete(stem);
    } else rare.rows.set(stem, rows);
  }
}

interface Row {
  /** JSON, as the others: stems and the memories that hold them. */
  readonly counted: string;
  /** The stems that were looked up. */
  readonly chosen: string;
  /** Memories that hold two of them, by row number, and which: a bit for each of the chosen ones. */
  readonly holders: string;
  /** Of the namespace. */
  readonly size: number;
}

/** Row numbers of the memories that hold most of one sentence by weight, most first, then the newest. */
export function mostTelling(
  chosen: readonly string[],
  holders: readonly (readonly [seq: number, stems: number])[],
  sentences: readonly ReadonlySet<string>[],
  weigh: Weights,
): number[] {
  const weights = chosen.map(weigh);
  const wanted = sentences.map((own) => ({
    stems: chosen.reduce((mask, stem, i) => (own.has(stem) ? mask | (1 << i) : mask), 0),
    weight: [...own].reduce((sum, stem) => sum + weigh(stem), 0),
  }));
  const shares = new Map<number, number>();
  const shareOf = (held: number): number => {
    const known = shares.get(held);
    if (known !== undefined) return known;
    const share = Math.max(...wanted.map(({ stems, weight }) => weightOf(held & stems, weights) / weight));
    shares.set(held, share);
    return share;
  };
  return holders
    .filter(([, stems]) => shareOf(stems) >= SMALLEST_SHARE)
    .sort(([one, a], [other, b]) => shareOf(b) - shareOf(a) || other - one)
    .slice(0, MOST_READ)
    .map(([seq]) => seq);
}

/** Of the stems of these bits together; nothing where they are too few. */
function weightOf(stems: number, weights: readonly number[]): number {
  const held = weights.filter((_, i) => (stems & (1 << i)) !== 0);
  return held.length < FEWEST_COMMON ? 0 : held.reduce((sum, weight) => sum + weight, 0);
}

/** How large a namespace is, as SQL, with what is shared in it. @param ns its number */
export function sizeOf(sql: Pick<Reader, 'layers'>, ns: string): string {
  const own = `(SELECT max(seq) - (${ns} << 32) FROM ${OWN_LAYER}.mem_nodes
    WHERE seq >= ${ns} << 32 AND seq < (${ns} + 1) << 32)`;
  return layersOf(sql).length === 1
    ? own
    : `(coalesce(${own}, 0) + iif(${ns} = ${SHARED_NAMESPACE}, ${sharedSize(sql)}, 0))`;
}

/** How many memories hold each of some stems, as a SELECT of `term` and `doc`. */
export function countsOf(sql: Pick<Reader, 'layers'>): string {
  return summed(
    sql,
    (layer) =>
      `SELECT v.term, v.doc FROM json_each($stems) AS asked CROSS JOIN ${layer}.mem_fts_terms AS v ON v.term = asked.value`,
  );
}

/**
 * Counts the stems, chooses the rarest, and looks up who holds them, in one round trip. Asks for each of them by itself,
 * because the rank of the full-text index costs five times as much. Stems hold no quotes.
 */
const findIn = (sql: Pick<Reader, 'layers'>): string => `WITH
  at AS (SELECT ns FROM mem_namespaces WHERE name = $namespace),
  counted (term, doc) AS MATERIALIZED (
    ${countsOf(sql)}
    UNION ALL SELECT value ->> 0, value ->> 1 FROM json_each($known)),
  chosen AS MATERIALIZED (
    SELECT term, place FROM (
      SELECT term, sum(doc) OVER rarest AS rows, row_number() OVER rarest - 1 AS place FROM counted WHERE doc > $alone
      WINDOW rarest AS (ORDER BY doc, term))
    WHERE place < ${MOST_STEMS} AND rows <= iif(place < ${FEW_STEMS}, ${MOST_ROWS}, ${FEW_ROWS})),
  holders AS (
    ${inEachLayer(
      sql,
      (layer) => `SELECT f.rowid AS seq, sum(1 << chosen.place) AS stems
    FROM at CROSS JOIN chosen CROSS JOIN ${layer}.mem_fts AS f
    WHERE mem_fts MATCH '{words stems} : "' || chosen.term || '"'
      AND f.rowid BETWEEN at.ns << 32 AND (at.ns << 32) + 4294967295
    GROUP BY f.rowid HAVING count(*) >= ${FEWEST_COMMON}`,
    )})
  SELECT (SELECT json_group_array(json_array(term, doc)) FROM counted) AS counted,
    (SELECT json_group_array(term) FROM (SELECT term FROM chosen ORDER BY place)) AS chosen,
    (SELECT json_group_array(json_array(seq, stems)) FROM holders) AS holders,
    ${sizeOf(sql, 'at.ns')} AS size
  FROM at`;

/** Of the namespace that the row numbers were found in. */
const READ = `SELECT asked.key AS place, n.id, substr(n.content, 1, ${LOOKED_AT}) AS text
  FROM json_each($seqs) AS asked CROSS JOIN mem_nodes AS n ON n.seq = asked.value
  WHERE n.valid_until IS NULL AND n.tombstoned = 0 AND n.kind IN (${LASTING_SQL})
  ORDER BY place LIMIT ${MOST_COMPARED}`;
