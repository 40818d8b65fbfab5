/** Puts candidates in their order. */
import { DAY_MS } from '../../base/clock';
import type { Inquiry } from './inquire';
import { type Hit, newerFirst } from './newer-first';
import { rarities, type Scored } from './score';
import type { Candidate } from './search';
import type { Weights } from './weights';

/** A candidate on its way to its place. */
export interface Placed extends Scored {
  readonly node: Candidate;
  /** Its own match; 1 for the best direct hit. */
  readonly own: number;
  /** What came along SUPERSEDES and from documents. */
  certain: number;
  /** What came from neighbours, before it is asked how far they are trusted. */
  beside: number;
  /** The neighbour that gave most of it. */
  neighbour?: number;
  isThroughDocument?: boolean;
}

/**
 * Why a memory was found: it holds words of the question, is about an entity that the question names, stands beside one
 * that was found (in its session, about the same entity, or superseded by it), is on a symbol that a document speaks
 * of, or is of a date in the question.
 */
export interface Reasons {
  readonly words: boolean;
  /** By row number, like the neighbour. */
  readonly entity?: number;
  readonly neighbour?: number;
  readonly document: boolean;
  readonly date: boolean;
  /** The one right behind it, which says nearly the same and is older. */
  readonly older?: number;
}

/** A row in its place. */
export interface Ranked {
  readonly seq: number;
  readonly reasons: Reasons;
  /** The one right before it, which says nearly the same and is newer. */
  readonly newer?: number;
}

/** What counts beside a node's own match. */
export interface Beside {
  /** How far neighbours and episodes are trusted, from 0 to 1. */
  readonly trust: number;
  /** How well each episode as a whole answers; 1 for the best. */
  readonly episodes: ReadonlyMap<number, number>;
}

const RECENCY_HALF_LIFE_DAYS = 90;

/** @returns best first; those that the mask does not let through are left out */
export function inOrder(inquiry: Inquiry, nodes: ReadonlyMap<number, Placed>, beside: Beside): Ranked[] {
  const { query, weights } = inquiry;
  const asOf = Date.parse(inquiry.mask.asOf);
  const totals: (Hit & { readonly total: number; readonly reasons: Reasons })[] = [];
  for (const placed of nodes.values()) {
    const { node } = placed;
    // What waits for a person is worth less than what somebody kept, wherever own matches are compared.
    const worth = node.proposed ? weights.proposed : 1;
    const own = placed.own * worth;
    if (!node.valid) continue;
    const date = query.periods.some(({ from, to }) => node.validFrom >= from && node.validFrom < to);
    const entity = node.about.find((each) => inquiry.named.has(each));
    const heard = placed.own > 0 ? 1 : weights.unmatched;
    const episode = node.episode === null ? 0 : (beside.episodes.get(node.episode) ?? 0);
    const relevance =
      placed.own +
      Math.min(1, placed.certain + heard * beside.trust * placed.beside) +
      beside.trust * weights.episode * episode +
      (entity === undefined ? 0 : weights.named) +
      (date ? weights.period : 0);
    if (relevance <= 0) continue;
    const sought = query.sought?.test(` ${node.words} `) ? 1 + weights.sought : 1;
    const total = worth * relevance * sought * tieBreakers(node, asOf, weights);
    totals.push({ node, own, frequencies: placed.frequencies, total, reasons: reasonsFor(placed, date, entity) });
  }
  totals.sort((a, b) => b.total - a.total || b.node.seq - a.node.seq);
  // Whatever others inherit, it stays the first: docs/behaviour.md, "Ranking".
  const first = totals.reduce((best, each, i) => (each.own > (totals[best]?.own ?? 0) ? i : best), 0);
  const ordered = [...totals.slice(first, first + 1), ...totals.slice(0, first), ...totals.slice(first + 1)];
  return newerFirst(ordered, { rarity: rarities(inquiry), weights }).map(({ hit, newer, older }) => ({
    seq: hit.node.seq,
    reasons: older === undefined ? hit.reasons : { ...hit.reasons, older: older.node.seq },
    ...(newer === undefined ? {} : { newer: newer.node.seq }),
  }));
}

function reasonsFor({ own, neighbour, isThroughDocument }: Placed, date: boolean, entity: number | undefined): Reasons {
  return {
    words: own > 0,
    ...(entity === undefined ? {} : { entity }),
    ...(neighbour === undefined ? {} : { neighbour }),
    document: isThroughDocument === true,
    date,
  };
}

/** Recency, frequency and connectivity, each within a few hundredths of 1: they never bury the relevant. */
function tieBreakers(node: Candidate, asOf: number, weights: Weights): number {
  const ageDays = Math.max(0, asOf - node.validFrom) / DAY_MS;
  const recency = 1 + weights.recency * (2 ** (-ageDays / RECENCY_HALF_LIFE_DAYS) - 0.5);
  const frequency = 1 + weights.frequency * (1 - 1 / (1 + Math.log1p(node.uses)));
  const connectivity = 1 + weights.connectivity * (1 - 1 / (1 + node.about.length));
  return recency * frequency * connectivity;
}
