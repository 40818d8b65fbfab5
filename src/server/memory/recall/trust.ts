/** How far what stands beside the hits is believed. */
import type { Weights } from './weights';

/** A direct hit, as far as it says how good the hits are. */
export interface DirectHit {
  /** Of the best one; at most 1. */
  readonly relevance: number;
  /** How often each term of the question occurs in it. */
  readonly frequencies: readonly number[];
  /** In words. */
  readonly length: number;
}

/** As many of the best hits tell how well the question is answered by words alone. */
const TELLING_HITS = 5;
/** As many of them tell how long the memories are. */
const MEASURED_HITS = 8;

/**
 * What is added for neighbours and episodes is multiplied by this. It is 1 while the direct hits are poor: they hold little
 * of the question, or only one of them does. It fades the more of the question the best five hold and the nearer the
 * fifth comes to the first: then there is nothing to gain beside them. It also fades for long memories, down to a fifth: they say
 * by themselves what they are about, and few of them fit into an answer. It never is 0, so that neighbours fill what room is left.
 * @param hits best first
 * @param rarity of each term of the question
 */
export function trustBeside(hits: readonly DirectHit[], rarity: readonly number[], weights: Weights): number {
  const best = hits.slice(0, TELLING_HITS);
  const whole = rarity.reduce((sum, weight) => sum + weight, 0);
  const covered = best.reduce((sum, hit) => sum + held(hit, rarity), 0) / TELLING_HITS;
  const sure = (whole > 0 ? covered / whole : 0) * (hits[TELLING_HITS - 1]?.relevance ?? 0);
  const unsure = (weights.sure - sure) / (weights.sure - weights.unsure);
  const measured = hits.slice(0, MEASURED_HITS);
  const length = measured.reduce((sum, hit) => sum + hit.length, 0) / Math.max(1, measured.length);
  const short = Math.min(1, (weights.shortMemory / Math.max(1, length)) ** 4);
  return Math.max(weights.leastTrust, Math.min(1, unsure) * Math.max(weights.trustInLong, short));
}

function held({ frequencies }: DirectHit, rarity: readonly number[]): number {
  return rarity.reduce((sum, weight, t) => sum + ((frequencies[t] ?? 0) > 0 ? weight : 0), 0);
}
