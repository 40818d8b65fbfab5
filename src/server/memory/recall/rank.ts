/** Puts hits and neighbours in order. */

import { isStructural } from '../../../kinds/kinds';
import type { Reader } from '../../db/sql';
import { hop, type Link } from './expand';
import type { Inquiry } from './inquire';
import { inOrder, type Placed, type Ranked } from './order';
import { rarities, score, scoreTogether } from './score';
import { type Candidate, loadCandidates } from './search';
import { memoriesOnReached, type ReachedSymbol } from './through-documents';
import { trustBeside } from './trust';

/** The best direct hits, which hand relevance on. */
const MAX_PARENTS = 24;
/** Of the nodes that only neighbours lead to, the strongest: so many for each direct hit that is wanted, and never fewer. */
const REACHED_SHARE = 0.5;
const MIN_REACHED = 40;
/** Hits that tell which episode the question is about. */
const EPISODE_HITS = 60;

/**
 * Puts the direct hits and their neighbours in order: own match, plus what neighbours hand on, plus how well the
 * episode as a whole answers, both as far as they are trusted, plus a named entity or date; times factors that only break
 * ties.
 * @param limit so many direct hits were asked for
 * @param reached symbols of documents that answer the question
 * @returns best first
 */
export async function rank(
  sql: Reader,
  inquiry: Inquiry,
  { hops, limit }: { readonly hops: number; readonly limit: number },
  reached: readonly ReachedSymbol[] = [],
): Promise<Ranked[]> {
  const nodes = new Map<number, Placed>();
  const best = add(inquiry, nodes, inquiry.found, undefined);
  for (const dated of inquiry.dated) {
    const missing = dated.filter(({ seq }) => !nodes.has(seq));
    add(inquiry, nodes, missing, best);
  }
  if (hops === 0) return inOrder(inquiry, nodes, { trust: 0, episodes: new Map() });
  const trust = trustIn(inquiry, nodes);
  await handOn(sql, inquiry, nodes, best, { hops, most: Math.max(MIN_REACHED, Math.ceil(limit * REACHED_SHARE)) });
  await addThroughDocuments(sql, inquiry, nodes, best, reached);
  return inOrder(inquiry, nodes, { trust, episodes: episodeScores(inquiry, nodes) });
}

function trustIn(inquiry: Inquiry, nodes: ReadonlyMap<number, Placed>): number {
  const hits = [...nodes.values()]
    .filter(({ node, own }) => node.valid && own > 0)
    .sort((a, b) => b.own - a.own)
    .map(({ own, frequencies, length }) => ({ relevance: own, frequencies, length }));
  return trustBeside(hits, rarities(inquiry), inquiry.weights);
}

/**
 * @param best what counts as 1; undefined for the direct hits, which set it
 * @returns what counts as 1
 */
function add(
  inquiry: Inquiry,
  nodes: Map<number, Placed>,
  candidates: readonly Candidate[],
  best: number | undefined,
): number {
  const scored = score(candidates, inquiry).map((one, i) => {
    const kind = candidates[i]?.kind;
    const share = kind !== undefined && isStructural(kind) ? inquiry.weights.structural : 1;
    return { ...one, relevance: one.relevance * share };
  });
  const scale = best ?? Math.max(Number.MIN_VALUE, ...scored.map(({ relevance }) => relevance));
  for (const [i, node] of candidates.entries()) {
    const one = scored[i];
    if (one) nodes.set(node.seq, { ...one, node, own: one.relevance / scale, certain: 0, beside: 0 });
  }
  return scale;
}

async function addMissing(
  sql: Reader,
  inquiry: Inquiry,
  nodes: Map<number, Placed>,
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
  nodes: Map<number, Placed>,
  best: number,
  symbols: readonly ReachedSymbol[],
): Promise<void> {
  const memories = await memoriesOnReached(sql, inquiry.mask, symbols);
  await addMissing(sql, inquiry, nodes, memories.keys(), best);
  for (const [seq, relevance] of memories) {
    const scored = nodes.get(seq);
    if (!scored) continue;
    scored.certain += inquiry.weights.neighbour * relevance;
    scored.isThroughDocument = true;
  }
}

/** What is handed on from a node, or to it. */
interface Strength {
  certain: number;
  beside: number;
  /** The parent that gave most of it, and how much. */
  parent?: number;
  most: number;
}

/**
 * Hands relevance on to neighbours, hop by hop. A node that is reached several ways adds up. What a hop leads to is loaded
 * with the next hop: a round trip less for each.
 */
async function handOn(
  sql: Reader,
  inquiry: Inquiry,
  nodes: Map<number, Placed>,
  best: number,
  { hops, most }: { readonly hops: number; readonly most: number },
): Promise<void> {
  let strengths = new Map<number, Strength>();
  for (const [seq, { own }] of nodes) strengths.set(seq, { certain: own, beside: 0, most: 0 });
  let fresh: number[] = [];
  for (let taken = 0; taken < hops; taken++) {
    const { links, loaded } = await hop(sql, inquiry, strongest(totals(strengths), MAX_PARENTS), fresh);
    add(inquiry, nodes, loaded, best);
    if (taken > 0) inherit(nodes, strengths);
    const reached = new Map<number, Strength>();
    for (const link of links) {
      const from = strengths.get(link.parent);
      // A row that was not to be loaded hands nothing on.
      if (!from || !nodes.has(link.parent)) continue;
      const to = reached.get(link.child) ?? { certain: 0, beside: 0, most: 0 };
      handTo(to, link, from);
      reached.set(link.child, to);
    }
    fresh = strongest(new Map([...totals(reached)].filter(([seq]) => !nodes.has(seq))), most);
    strengths = reached;
  }
  await addMissing(sql, inquiry, nodes, fresh, best);
  inherit(nodes, strengths);
}

function handTo(to: Strength, { parent, share, along }: Link, from: Strength): void {
  // What superseded a hit answers in its place: that is no guess.
  to.certain += along === 'superseding' ? share * from.certain : 0;
  to.beside += share * (along === 'superseding' ? from.beside : from.certain + from.beside);
  const given = share * (from.certain + from.beside);
  if (given <= to.most) return;
  to.parent = parent;
  to.most = given;
}

const totals = (strengths: ReadonlyMap<number, Strength>): Map<number, number> =>
  new Map([...strengths].map(([seq, { certain, beside }]) => [seq, certain + beside]));

function inherit(nodes: ReadonlyMap<number, Placed>, reached: ReadonlyMap<number, Strength>): void {
  for (const [seq, { certain, beside, parent }] of reached) {
    const placed = nodes.get(seq);
    if (!placed) continue;
    placed.certain += certain;
    placed.beside += beside;
    if (parent !== undefined) placed.neighbour ??= parent;
  }
}

/** How well each episode as a whole answers, as if its best hits were one text; 1 for the best episode. */
function episodeScores(inquiry: Inquiry, nodes: ReadonlyMap<number, Placed>): Map<number, number> {
  const members = new Map<number, (readonly number[])[]>();
  for (const seq of strongest(new Map([...nodes].map(([seq, { own }]) => [seq, own])), EPISODE_HITS)) {
    const scored = nodes.get(seq);
    const episode = scored?.node.episode;
    if (!scored || episode == null) continue;
    members.set(episode, [...(members.get(episode) ?? []), scored.frequencies]);
  }
  const scores = new Map([...members].map(([episode, each]) => [episode, scoreTogether(each, inquiry)]));
  const best = Math.max(Number.MIN_VALUE, ...scores.values());
  return new Map([...scores].map(([episode, value]) => [episode, (value / best) ** inquiry.weights.episodePower]));
}

function strongest(strengths: ReadonlyMap<number, number>, n: number): number[] {
  return [...strengths]
    .filter(([, strength]) => strength > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, n)
    .map(([seq]) => seq);
}
