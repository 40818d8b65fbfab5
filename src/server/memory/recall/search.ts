/** Searches the full-text index. */

import { MEMORY_KINDS, type NodeKind } from '../../../kinds/kinds';
import { timestamp } from '../../base/clock';
import type { Reader } from '../../db/sql';
import { VALID, type ValidAt } from '../clock-ahead';
import { episodeOf, inEachLayer, layersOf, notReplaced, OWN_LAYER, SHARED_NAMESPACE } from '../layers';
import { STANDING } from '../origins';
import type { Period } from './periods';
import type { KnownTerm } from './vocabulary';

/** Which nodes may be answered. */
export interface Mask extends ValidAt {
  readonly ns: number;
  readonly minConfidence: number;
  /** Empty: all kinds. */
  readonly kinds: readonly NodeKind[];
  /** Let closed nodes and those that are not valid yet through, too. */
  readonly closed: boolean;
  /** Let tombstoned nodes through, too. */
  readonly forgotten: boolean;
}

/** A node with what scoring needs of it. */
export interface Candidate {
  readonly seq: number;
  readonly kind: NodeKind;
  readonly validFrom: number;
  readonly session: number | null;
  readonly episode: number | null;
  readonly uses: number;
  /** Entities it is about, up to a bound. */
  readonly about: readonly number[];
  /** It waits for a person. */
  readonly proposed: boolean;
  /** Whether the mask lets it through; others only lead to their neighbours. */
  readonly valid: boolean;
  readonly words: string;
  readonly stems: string;
  readonly context: string;
}

/** Full-text rows ranked in one query: what bounds the time at any size of the store. */
const MAX_RANKED_ROWS = 4_000;
/** Where even the rarest term is common, only this many of the newest rows are looked at. */
const NEWEST_ROWS = 2_000;
const MAX_MATCH_TERMS = 24;
const MAX_COMMON_TERMS = 4;
const MAX_ABOUT = 8;
/** Fewer hits than this, and the terms that were left out for their commonness are asked for, too. */
const FEW = 20;
const MAX_IN_PERIOD = 60;

const NOT_FORGOTTEN = '(n.tombstoned = 0 OR $forgotten)';
const MASKED_IN = `${NOT_FORGOTTEN}
  AND ($closed OR ${VALID})
  AND n.confidence >= $minConfidence AND ($kinds = '[]' OR n.kind IN (SELECT value FROM json_each($kinds)))`;

// CASE stops at the first condition that decides; as a plain value all of them would be asked of each row.
const candidate = (
  layer: string,
): string => `json_array(n.seq, n.kind, n.valid_from, n.session, ${episodeOf(layer, 'n')}, n.uses,
  json((SELECT json_group_array(dst)
        FROM (SELECT dst FROM ${layer}.mem_edges WHERE type = 'ABOUT' AND src = n.seq LIMIT ${MAX_ABOUT}))),
  CASE WHEN ${MASKED_IN} THEN 1 ELSE 0 END, ${STANDING} = 'proposed', f.words, f.stems, f.context)`;

/** What a search found. */
export interface Found {
  readonly found: readonly Candidate[];
  /** Of each period that was asked for, memories that became valid in it, those nearest to its beginning. */
  readonly dated: readonly (readonly Candidate[])[];
}

/**
 * The best full-text matches, by BM25 over the rarer terms. Common terms match too, where they occur together or
 * where the rarer ones find little; their part in the score is added by the caller, who knows all terms. What became
 * valid in a period is asked for in the same statement.
 */
export async function search(
  sql: Reader,
  mask: Mask,
  {
    terms,
    periods,
    size,
    shared,
  }: {
    readonly terms: readonly KnownTerm[];
    readonly periods: readonly Period[];
    readonly size: number;
    readonly shared: number;
  },
  limit: number,
): Promise<Found> {
  const { match, leftOut } = matchExpression(terms, size);
  const { found: first, dated } = await ranked(sql, mask, { match, periods, limit, shared: shared / size });
  let found = first;
  // Closed nodes crowd out the valid ones: ask again for valid ones only.
  if (found.length >= limit && found.filter((node) => node.valid).length < limit / 2) {
    found = merge(
      found,
      (await ranked(sql, mask, { match, periods: [], limit, shared: shared / size, validOnly: true })).found,
    );
  }
  if (leftOut.length > 0 && found.filter((node) => node.valid).length < FEW) {
    found = merge(found, await newest(sql, mask, anyOf(leftOut), limit));
  }
  return { found, dated };
}

/** A query of the rows $seqs, as JSON for `candidatesIn`; binds `maskParameters`. */
export function candidates(sql: Reader): string {
  return `SELECT json_group_array(json(row)) FROM (${inEachLayer(
    sql,
    (layer) => `SELECT ${candidate(layer)} AS row
      FROM json_each($seqs) AS asked CROSS JOIN ${layer}.mem_nodes AS n ON n.seq = asked.value
      CROSS JOIN ${layer}.mem_fts AS f ON f.rowid = n.seq
      WHERE +(n.seq >> 32) = $ns ${notReplaced(sql, layer, 'n')}`,
  )})`;
}

/** Rows by number. */
export async function loadCandidates(sql: Reader, mask: Mask, seqs: readonly number[]): Promise<Candidate[]> {
  const row = await sql.get<{ rows: string }>(`SELECT (${candidates(sql)}) AS rows`, {
    ...maskParameters(mask),
    seqs: JSON.stringify(seqs),
  });
  return candidatesIn(row?.rows);
}

/** One kind's memories in the period `period.value`: the index on kind and valid_from gives its first without a sort. */
const datedOfKind = (layer: string, kind: string): string =>
  `SELECT * FROM (SELECT n.seq, n.valid_from FROM ${layer}.mem_nodes AS n
     WHERE n.seq >> 32 = $ns AND n.kind = '${kind}' AND n.tombstoned = 0
       AND n.valid_from >= period.value ->> 0 AND n.valid_from < period.value ->> 1 AND ${MASKED_IN}
     ORDER BY n.valid_from LIMIT ${MAX_IN_PERIOD})`;

/** A query of the candidates of each of $periods. */
const datedIn = (sql: Reader, layer: string): string => `SELECT json_group_array(json(candidates)) FROM (
  SELECT (SELECT json_group_array(${candidate(layer)})
          FROM (${MEMORY_KINDS.map((kind) => datedOfKind(layer, kind)).join(' UNION ALL ')}
                ORDER BY valid_from LIMIT ${MAX_IN_PERIOD}) AS dated
          CROSS JOIN ${layer}.mem_nodes AS n ON n.seq = dated.seq ${notReplaced(sql, layer, 'n')}
          CROSS JOIN ${layer}.mem_fts AS f ON f.rowid = n.seq) AS candidates
  FROM json_each($periods) AS period)`;

export function maskParameters({ ns, asOf, ahead, minConfidence, kinds, closed, forgotten }: Mask) {
  const flags = { closed: closed ? 1 : 0, forgotten: forgotten ? 1 : 0 };
  return { ns, asOf, ahead, minConfidence, kinds: JSON.stringify(kinds), ...flags };
}

interface Asked {
  readonly match: string;
  readonly periods: readonly Period[];
  readonly limit: number;
  /** The share of the store's memories that are shared. */
  readonly shared: number;
  readonly validOnly?: boolean;
}

/** Of two layers each gives as many as fall to its share of all memories, and so many more; and never less than half. */
const MORE_OF_A_LAYER = 0.25;
const LEAST_OF_A_LAYER = 0.5;

async function ranked(sql: Reader, mask: Mask, { match, periods, limit, shared, validOnly }: Asked): Promise<Found> {
  // The best of each layer: a full-text index ranks by what stands in it, and a small one would rank all of it low.
  const byText = (layer: string): string => `SELECT json_group_array(json(row)) FROM (
    SELECT ${candidate(layer)} AS row
    FROM ${layer}.mem_fts AS f CROSS JOIN ${layer}.mem_nodes AS n ON n.seq = f.rowid
    WHERE mem_fts MATCH $match AND f.rowid BETWEEN $ns << 32 AND ($ns << 32) + 4294967295
      AND ${NOT_FORGOTTEN} ${notReplaced(sql, layer, 'n')} ${validOnly ? `AND ${MASKED_IN}` : ''}
    ORDER BY f.rank LIMIT ${layer === OWN_LAYER ? '$own' : '$shared'})`;
  const layers = layersOf(sql);
  const most = (share: number): number =>
    Math.ceil(limit * Math.min(1, Math.max(LEAST_OF_A_LAYER, share + MORE_OF_A_LAYER)));
  // In another namespace there are none but the store's own.
  const own = mask.ns === SHARED_NAMESPACE ? most(1 - shared) : limit;
  const limits = layers.length === 1 ? { own: limit } : { own, shared: most(shared) };
  const asked = layers.flatMap((layer) => [
    ...(match === '' ? [] : [`(${byText(layer)}) AS ${layer}_rows`]),
    ...(periods.length === 0 ? [] : [`(${datedIn(sql, layer)}) AS ${layer}_dated`]),
  ]);
  if (asked.length === 0) return { found: [], dated: [] };
  const row = await sql.get<Readonly<Record<string, string>>>(`SELECT ${asked.join(', ')}`, {
    ...maskParameters(mask),
    ...(match === '' ? {} : { match, ...limits }),
    ...(periods.length === 0
      ? {}
      : { periods: JSON.stringify(periods.map(({ from, to }) => [timestamp(from), timestamp(to)])) }),
  });
  const dated = layers.map((layer) => JSON.parse(row?.[`${layer}_dated`] ?? '[]') as CandidateTuple[][]);
  return {
    found: layers.flatMap((layer) => candidatesIn(row?.[`${layer}_rows`])),
    dated: periods.map((_, i) => dated.flatMap((ofLayer) => (ofLayer[i] ?? []).map(candidateOf))),
  };
}

async function newest(sql: Reader, mask: Mask, match: string, limit: number): Promise<Candidate[]> {
  const row = await sql.get<{ rows: string }>(
    `SELECT json_group_array(json(row)) AS rows FROM (${inEachLayer(
      sql,
      (layer) => `SELECT * FROM (SELECT ${candidate(layer)} AS row
       FROM ${layer}.mem_fts AS f CROSS JOIN ${layer}.mem_nodes AS n ON n.seq = f.rowid
       WHERE mem_fts MATCH $match AND f.rowid BETWEEN $ns << 32 AND ($ns << 32) + 4294967295 AND ${MASKED_IN}
         ${notReplaced(sql, layer, 'n')}
       ORDER BY f.rowid DESC LIMIT $limit)`,
    )})`,
    { ...maskParameters(mask), match, limit: Math.min(limit, NEWEST_ROWS) },
  );
  return candidatesIn(row?.rows);
}

/**
 * `(rare OR rarer) AND (rare OR rarer OR common)`: the rows to rank are those of the rarer terms, as many as the bound
 * allows; the common terms cost no rows there, but raise those that hold them, too. Rows that hold two common terms and
 * longer words are added as far as the bound goes.
 */
function matchExpression(terms: readonly KnownTerm[], size: number): { match: string; leftOut: readonly KnownTerm[] } {
  const asked = terms.slice(0, MAX_MATCH_TERMS);
  const rare: KnownTerm[] = [];
  const common: KnownTerm[] = [];
  let rows = 0;
  for (const term of asked) {
    if (term.frequency === 0) continue;
    if (rows + term.frequency <= MAX_RANKED_ROWS) {
      rare.push(term);
      rows += term.frequency;
    } else if (common.length < MAX_COMMON_TERMS) {
      common.push(term);
    }
  }
  const parts: string[] = [];
  const any = anyOf(rare);
  if (rare.length > 0) parts.push(common.length > 0 ? `((${any}) AND (${any} OR ${anyOf(common)}))` : any);
  for (const [i, a] of common.entries()) {
    for (const b of common.slice(i + 1)) {
      const both = (a.frequency * b.frequency) / size;
      if (rows + both > MAX_RANKED_ROWS) continue;
      rows += both;
      parts.push(`((${anyOf([a])}) AND (${anyOf([b])}))`);
    }
  }
  for (const { term, frequency } of asked.flatMap(({ longer, known }) => [...longer, ...known])) {
    // Where a question knows no other word, its longer and related words are all there is.
    if (rows + frequency > MAX_RANKED_ROWS && parts.length > 0) continue;
    rows += frequency;
    parts.push(quote(term));
  }
  return { match: parts.join(' OR '), leftOut: common };
}

function anyOf(terms: readonly KnownTerm[]): string {
  return terms.map(formsOf).join(' OR ');
}

/** Every form of a term for the full-text index: itself, its stem, and the words that begin with it. */
export function formsWithLonger(term: KnownTerm): string {
  const own = term.frequency > 0 ? [formsOf(term)] : [];
  return [...own, ...term.longer.map((word) => quote(word.term))].join(' OR ');
}

function formsOf({ word, stem }: KnownTerm): string {
  return word === stem ? quote(word) : `${quote(stem)} OR ${quote(word)}`;
}

/** Terms hold letters, digits and characters outside ASCII only, so that quotes need no escaping. */
function quote(term: string): string {
  return `"${term}"`;
}

function merge(first: readonly Candidate[], second: readonly Candidate[]): Candidate[] {
  const bySeq = new Map([...first, ...second].map((node) => [node.seq, node]));
  return [...bySeq.values()];
}

type CandidateTuple = [
  number,
  NodeKind,
  string,
  number | null,
  number | null,
  number,
  number[],
  0 | 1,
  0 | 1,
  string,
  string,
  string,
];

/** @param rows what `candidates` answered; none when it is missing */
export function candidatesIn(rows: string | undefined): Candidate[] {
  return (JSON.parse(rows ?? '[]') as CandidateTuple[]).map(candidateOf);
}

function candidateOf([
  seq,
  kind,
  validFrom,
  session,
  episode,
  uses,
  about,
  valid,
  proposed,
  words,
  stems,
  context,
]: CandidateTuple): Candidate {
  const from = Date.parse(validFrom);
  return {
    seq,
    kind,
    validFrom: from,
    session,
    episode,
    uses,
    about,
    valid: valid === 1,
    proposed: proposed === 1,
    words,
    stems,
    context,
  };
}
