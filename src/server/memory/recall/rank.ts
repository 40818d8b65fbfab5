/** Puts hits and neighbours in order. */

import { isStructural } from '../../../kinds/kinds';
import { DAY_MS } from '../../base/clock';
import type { Reader } from '../../db/sql';
import { hop } from './expand';
import type { Inquiry } from './inquire';
import { score, scoreTogether } from './score';
import { type Candidate, loadCandidates } from './search';
import { memoriesOnReached, type ReachedSymbol } from './through-documents';
import { WEIGHTS } from './weights';

/**
 * Why a memory was found: it holds words of the question, stands beside one that does (in its session, about the same
 * entity, or superseded by it), is on a symbol that a document speaks of, or is of a date in the question.
 */
export type Reason = 'words' | 'neighbour' | 'document' | 'date';

/** A row in its place. */
export interface Ranked {
  readonly seq: number;
  readonly reasons: readonly Reason[];
}

/** A candidate on its way to its place. */
interface Scored {
  readonly node: Candidate;
  /** Its own match; 1 for the best direct hit. */
  readonly own: number;
  readonly frequencies: readonly number[];
  inherited: number;
  isNeighbour?: boolean;
  isThroughDocument?: boolean;
}

/** The best direct hits, which hand relevance on. */
const MAX_PARENTS = 24;
/** Of the nodes that only neighbours lead to, the strongest. */
const MAX_REACHED = 64;
/** Hits that tell which episode the question is about. */
const EPISODE_HITS = 60;
const RECENCY_HALF_LIFE_DAYS = 90;

/**
 * Puts the direct hits and their neighbours in order: own match, plus what neighbours hand on, plus how well the
 * episode as a whole answers, plus a named date; times factors that only break ties.
 * @param reached symbols of documents that answer the question
 * @returns best first
 */
export async function rank(
  sql: Reader,
  inquiry: Inquiry,
  hops: number,
  reached: readonly ReachedSymbol[] = [],
): Promise<Ranked[]> {
  const nodes = new Map<number, Scored>();
  const best = add(inquiry, nodes, inquiry.found, undefined);
  for (const dated of inquiry.dated) {
    const missing = dated.filter(({ seq }) => !nodes.has(seq));
    add(inquiry, nodes, missing, best);
  }
  if (hops === 0) return inOrder(inquiry, nodes, new Map());
  await handOn(sql, inquiry, nodes, best, hops);
  await addThroughDocuments(sql, inquiry, nodes, best, reached);
  return inOrder(inquiry, nodes, episodeScores(inquiry, nodes));
}

/**
 * @param best what counts as 1; undefined for the direct hits, which set it
 * @returns what counts as 1
 */
function add(
  { terms, size }: Inquiry,
  nodes: Map<number, Scored>,
  candidates: readonly Candidate[],
  best: number | undefined,
): number {
  const scored = score(candidates, terms, size).map(({ relevance, frequencies }, i) => {
    const kind = candidates[i]?.kind;
    return {
      relevance: kind !== undefined && isStructural(kind) ? relevance * WEIGHTS.structural : relevance,
      frequencies,
    };
  });
  const scale = best ?? Math.max(Number.MIN_VALUE, ...scored.map(({ relevance }) => relevance));
  for (const [i, node] of candidates.entries()) {
    const { relevance = 0, frequencies = [] } = scored[i] ?? {};
    nodes.set(node.seq, { node, own: relevance / scale, frequencies, inherited: 0 });
  }
  return scale;
}

async function addMissing(
  sql: Reader,
  inquiry: Inquiry,
  nodes: Map<number, Scored>,
  seqs: Iterable<number>,
  best: number,
) {
  const missing = [...new Set(seqs)].filter((seq) => !nodes.has(seq));
  if (missing.length > 0) add(inquiry, nodes, await loadCandidates(sql, inquiry.mask, missing), best);
}

/** A memory on a symbol inherits from the section that speaks of the symbol. */
async function addThroughDocuments(
  sql: Reader,
  inquiry: Inquiry,
  nodes: Map<number, Scored>,
  best: number,
  symbols: readonly ReachedSymbol[],
): Promise<void> {
  const memories = await memoriesOnReached(sql, inquiry.mask, symbols);
  await addMissing(sql, inquiry, nodes, memories.keys(), best);
  for (const [seq, relevance] of memories) {
    const scored = nodes.get(seq);
    if (!scored) continue;
    scored.inherited += WEIGHTS.neighbour * relevance;
    scored.isThroughDocument = true;
  }
}

/**
 * Hands relevance on to neighbours, hop by hop. A node that is reached several ways adds up. What a hop leads to is loaded
 * with the next hop: a round trip less for each.
 */
async function handOn(
  sql: Reader,
  inquiry: Inquiry,
  nodes: Map<number, Scored>,
  best: number,
  hops: number,
): Promise<void> {
  let strengths: ReadonlyMap<number, number> = new Map([...nodes].map(([seq, { own }]) => [seq, own]));
  let fresh: number[] = [];
  for (let taken = 0; taken < hops; taken++) {
    const { links, loaded } = await hop(sql, inquiry.mask, strongest(strengths, MAX_PARENTS), fresh);
    add(inquiry, nodes, loaded, best);
    if (taken > 0) inherit(nodes, strengths);
    const reached = new Map<number, number>();
    for (const { parent, child, share } of links) {
      // A row that was not to be loaded hands nothing on.
      if (!nodes.has(parent)) continue;
      reached.set(child, (reached.get(child) ?? 0) + share * (strengths.get(parent) ?? 0));
    }
    fresh = strongest(new Map([...reached].filter(([seq]) => !nodes.has(seq))), MAX_REACHED);
    strengths = reached;
  }
  await addMissing(sql, inquiry, nodes, fresh, best);
  inherit(nodes, strengths);
}

function inherit(nodes: ReadonlyMap<number, Scored>, reached: ReadonlyMap<number, number>): void {
  for (const [seq, value] of reached) {
    const scored = nodes.get(seq);
    if (!scored) continue;
    scored.inherited += value;
    scored.isNeighbour = true;
  }
}

/** How well each episode as a whole answers, as if its best hits were one text; 1 for the best episode. */
function episodeScores({ terms, size }: Inquiry, nodes: ReadonlyMap<number, Scored>): Map<number, number> {
  const members = new Map<number, (readonly number[])[]>();
  for (const seq of strongest(new Map([...nodes].map(([seq, { own }]) => [seq, own])), EPISODE_HITS)) {
    const scored = nodes.get(seq);
    const episode = scored?.node.episode;
    if (!scored || episode == null) continue;
    members.set(episode, [...(members.get(episode) ?? []), scored.frequencies]);
  }
  const scores = new Map([...members].map(([episode, each]) => [episode, scoreTogether(each, terms, size)]));
  const best = Math.max(Number.MIN_VALUE, ...scores.values());
  return new Map([...scores].map(([episode, value]) => [episode, (value / best) ** WEIGHTS.episodePower]));
}

function inOrder(
  { mask, query }: Inquiry,
  nodes: ReadonlyMap<number, Scored>,
  episodes: ReadonlyMap<number, number>,
): Ranked[] {
  const asOf = Date.parse(mask.asOf);
  const totals: { seq: number; own: number; total: number; dated: boolean; scored: Scored }[] = [];
  for (const [seq, scored] of nodes) {
    const { node, own, inherited } = scored;
    if (!node.valid) continue;
    const dated = query.periods.some(({ from, to }) => node.validFrom >= from && node.validFrom < to);
    const episode = node.episode === null ? 0 : (episodes.get(node.episode) ?? 0);
    const sought = query.sought?.test(` ${node.words} `) ? 1 + WEIGHTS.sought : 1;
    const relevance =
      own + Math.min(inherited, WEIGHTS.mostInherited) + WEIGHTS.episode * episode + (dated ? WEIGHTS.period : 0);
    if (relevance > 0) {
      totals.push({ seq, own, total: relevance * sought * tieBreakers(node, asOf), dated, scored });
    }
  }
  totals.sort((a, b) => b.total - a.total || b.seq - a.seq);
  // Whatever others inherit, it stays the first: docs/behaviour.md, "Ranking".
  const first = totals.reduce((best, each, i) => (each.own > (totals[best]?.own ?? 0) ? i : best), 0);
  return [...totals.slice(first, first + 1), ...totals.slice(0, first), ...totals.slice(first + 1)].map(
    ({ seq, dated, scored }) => ({ seq, reasons: reasonsFor(scored, dated) }),
  );
}

function reasonsFor({ own, isNeighbour, isThroughDocument }: Scored, dated: boolean): Reason[] {
  const reasons: Reason[] = [];
  if (own > 0) reasons.push('words');
  if (isNeighbour) reasons.push('neighbour');
  if (isThroughDocument) reasons.push('document');
  if (dated) reasons.push('date');
  return reasons;
}

/** Recency, frequency and connectivity, each within a few hundredths of 1: they never bury the relevant. */
function tieBreakers(node: Candidate, asOf: number): number {
  const ageDays = Math.max(0, asOf - node.validFrom) / DAY_MS;
  const recency = 1 + WEIGHTS.recency * (2 ** (-ageDays / RECENCY_HALF_LIFE_DAYS) - 0.5);
  const frequency = 1 + WEIGHTS.frequency * (1 - 1 / (1 + Math.log1p(node.uses)));
  const connectivity = 1 + WEIGHTS.connectivity * (1 - 1 / (1 + node.degree));
  return recency * frequency * connectivity;
}

function strongest(strengths: ReadonlyMap<number, number>, n: number): number[] {
  return [...strengths]
    .filter(([, strength]) => strength > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, n)
    .map(([seq]) => seq);
}
