import { seededRandom } from '../support/random';

/** A mean of differences with its 95 % interval. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const SEED = 2_718;
const RESAMPLES = 1_000;
const TAIL = 0.025;

/** Of two figures for each question, by drawing the questions again and again with replacement (bootstrap). */
export function difference(ours: readonly number[], theirs: readonly number[]): Difference {
  const each = ours.map((figure, i) => figure - (theirs[i] ?? 0));
  const random = seededRandom(SEED);
  const drawn = Array.from({ length: RESAMPLES }, () => mean(each.map(() => random.of(each)))).sort((a, b) => a - b);
  const at = (share: number): number => drawn[Math.floor(share * (drawn.length - 1))] ?? 0;
  return { mean: mean(each), low: at(TAIL), high: at(1 - TAIL) };
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length);
}
