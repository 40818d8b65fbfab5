import { DAY_MS, timestamp } from '../../base/clock';
import type { NodeKind } from '../kinds';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { neighbours } from './expand';
import { parseQuery, type Query } from './query';
import { relevances } from './score';
import { type Candidate, inPeriod, loadCandidates, type Mask, search } from './search';
import { type KnownTerm, knownTerms, storeSize } from './vocabulary';
import { WEIGHTS } from './weights';

export interface RecallInput {
  readonly query: string;
  /** In our own 24-character form; now when absent. */
  readonly as_of: string | undefined;
  readonly hops: number;
  readonly min_confidence: number;
  readonly kinds: readonly NodeKind[];
  readonly namespace: string | undefined;
  /** So many memories at the most are wanted. */
  readonly limit: number;
}

/** A memory ready to be printed. */
export interface RankedItem {
  readonly seq: number;
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
  /** Id of the session it was stored in. */
  readonly session_id: string | null;
  /** Size of its printed line, when it was measured before. */
  readonly tokens: number | null;
}

export interface Recalled {
  /** Best first. */
  readonly items: readonly RankedItem[];
  readonly asOf: string;
}

/** Direct hits that are scored; more for budgets that hold more. */
const MIN_CANDIDATES = 160;
/** The best direct hits, which hand relevance on. */
const MAX_PARENTS = 48;
/** Hits that tell which episode the question is about. */
const EPISODE_HITS = 60;
const RECENCY_HALF_LIFE_DAYS = 90;

/**
 * The memories that answer the question best: full-text search over exact, stemmed and longer forms, relevance handed
 * on to neighbours, and bounded factors that break ties. Never throws on any text.
 */
export async function recall(memory: Memory, input: RecallInput): Promise<Recalled> {
  const { sql } = memory;
  const now = memory.clock();
  const asOf = input.as_of ?? timestamp(now);
  const ns = await namespaceNumber(sql, input.namespace ?? memory.scope.namespace);
  const mask: Mask = { ns, asOf, minConfidence: input.min_confidence, kinds: input.kinds };
  const query = parseQuery(input.query, Date.parse(asOf));
  const size = await storeSize(sql);
  const terms = await termsOf(memory, query, size);
  const limit = Math.max(MIN_CANDIDATES, input.limit);
  const direct = await search(sql, mask, terms, size, limit);
  const scored = await rank(memory, mask, query, terms, size, direct, input.hops);
  return { items: await load(memory, scored.slice(0, input.limit)), asOf };
}

/** The content words that the store knows; the question words only where no content word is known. */
async function termsOf(memory: Memory, query: Query, size: number): Promise<KnownTerm[]> {
  const content = await knownTerms(memory.sql, memory.vocabulary, size, query.content);
  if (content.length > 0) return content;
  return knownTerms(memory.sql, memory.vocabulary, size, query.function);
}

async function rank(
  memory: Memory,
  mask: Mask,
  query: Query,
  terms: readonly KnownTerm[],
  size: number,
  direct: readonly Candidate[],
  hops: number,
): Promise<number[]> {
  const { sql } = memory;
  const nodes = new Map(direct.map((node) => [node.seq, node]));
  const own = relevanceBySeq(direct, terms, size);
  const best = Math.max(0, ...own.values());
  const scale = best > 0 ? 1 / best : 0;
  for (const [seq, score] of own) own.set(seq, score * scale);

  const dated = query.periods.length === 0 || hops === 0 ? [] : await nodesInPeriods(memory, mask, query);
  await fetchMissing(memory, mask, nodes, own, dated, terms, size, scale);

  const inherited = new Map<number, number>();
  let front = topOf(own, MAX_PARENTS);
  for (let hop = 0; hop < hops && front.length > 0; hop++) {
    const links = await neighbours(
      sql,
      mask,
      front.map(([seq]) => seq),
    );
    const strength = new Map(front);
    const reached = new Map<number, number>();
    for (const { parent, child, share } of links) {
      reached.set(child, (reached.get(child) ?? 0) + share * (strength.get(parent) ?? 0));
    }
    for (const [seq, value] of reached) inherited.set(seq, (inherited.get(seq) ?? 0) + value);
    await fetchMissing(memory, mask, nodes, own, [...reached.keys()], terms, size, scale);
    front = topOf(reached, MAX_PARENTS);
  }

  const episodes = hops === 0 ? new Map<number, number>() : episodeScores(nodes, own);
  const asOf = Date.parse(mask.asOf);
  const totals: [number, number][] = [];
  let bestDirect: [number, number] | undefined;
  for (const [seq, node] of nodes) {
    if (!node.valid) continue;
    const directScore = own.get(seq) ?? 0;
    const relevance =
      directScore +
      (inherited.get(seq) ?? 0) +
      (node.episode === null ? 0 : WEIGHTS.episode * (episodes.get(node.episode) ?? 0)) +
      (query.periods.some(({ from, to }) => node.validFrom >= from && node.validFrom < to) ? WEIGHTS.period : 0);
    if (relevance <= 0) continue;
    totals.push([seq, relevance * tieBreakers(node, asOf)]);
    if (directScore > 0 && (!bestDirect || directScore > bestDirect[1])) bestDirect = [seq, directScore];
  }
  totals.sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const order = totals.map(([seq]) => seq);
  // "A node reached several ways adds up, and stays below the best direct hit."
  if (!bestDirect) return order;
  const first = bestDirect[0];
  return [first, ...order.filter((seq) => seq !== first)];
}

function relevanceBySeq(nodes: readonly Candidate[], terms: readonly KnownTerm[], size: number): Map<number, number> {
  const scores = relevances(nodes, terms, size);
  return new Map(nodes.map((node, i) => [node.seq, scores[i] ?? 0]));
}

/** Loads nodes that were found by an edge, and gives them their own relevance on the scale of the direct hits. */
async function fetchMissing(
  memory: Memory,
  mask: Mask,
  nodes: Map<number, Candidate>,
  own: Map<number, number>,
  seqs: readonly number[],
  terms: readonly KnownTerm[],
  size: number,
  scale: number,
): Promise<void> {
  const missing = seqs.filter((seq) => !nodes.has(seq));
  if (missing.length === 0) return;
  const fetched = await loadCandidates(memory.sql, mask, missing);
  const scores = relevanceBySeq(fetched, terms, size);
  for (const node of fetched) {
    nodes.set(node.seq, node);
    own.set(node.seq, (scores.get(node.seq) ?? 0) * scale);
  }
}

async function nodesInPeriods(memory: Memory, mask: Mask, query: Query): Promise<number[]> {
  const found: number[] = [];
  for (const { from, to } of query.periods) {
    found.push(...(await inPeriod(memory.sql, mask, timestamp(from), timestamp(to))));
  }
  return found;
}

function topOf(scores: ReadonlyMap<number, number>, n: number): [number, number][] {
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, n);
}

/** How well each episode as a whole answers: the sum of its hits' squares, so that one good hit beats many weak ones. */
function episodeScores(nodes: ReadonlyMap<number, Candidate>, own: ReadonlyMap<number, number>): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [seq, score] of topOf(own, EPISODE_HITS)) {
    const episode = nodes.get(seq)?.episode;
    if (episode != null) sums.set(episode, (sums.get(episode) ?? 0) + score * score);
  }
  const best = Math.max(0, ...sums.values());
  if (best > 0) for (const [episode, sum] of sums) sums.set(episode, sum / best);
  return sums;
}

/** Recency, frequency and connectivity, each within a few hundredths of 1: they never bury the relevant. */
function tieBreakers(node: Candidate, asOf: number): number {
  const ageDays = Math.max(0, asOf - node.validFrom) / DAY_MS;
  const recency = 1 + WEIGHTS.recency * (2 ** (-ageDays / RECENCY_HALF_LIFE_DAYS) - 0.5);
  const frequency = 1 + WEIGHTS.frequency * (1 - 1 / (1 + Math.log1p(node.uses)));
  const connectivity = 1 + WEIGHTS.connectivity * (1 - 1 / (1 + node.degree));
  return recency * frequency * connectivity;
}

async function load(memory: Memory, seqs: readonly number[]): Promise<RankedItem[]> {
  return memory.sql.all<RankedItem>(
    `SELECT n.seq, n.id, n.kind, n.content, n.confidence, n.valid_from, s.id AS session_id, n.tokens
     FROM json_each($seqs) AS asked JOIN mem_nodes AS n ON n.seq = asked.value
     LEFT JOIN mem_nodes AS s ON s.seq = n.session ORDER BY asked.key`,
    { seqs: JSON.stringify(seqs) },
  );
}
