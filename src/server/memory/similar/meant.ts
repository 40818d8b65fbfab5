/** Chooses one of several memories that are one statement. */
import { likenessOf } from './likeness';
import { said } from './said';
import { valueSentences } from './value-sentences';

interface Stated {
  readonly seq: number;
  readonly content: string;
  readonly valid_from: string;
  readonly rationale: string | null;
  /** 1 for the best hit. */
  readonly relevance: number;
}

/** All words but the value agree, or nearly all. */
const SMALLEST_LIKENESS = 0.9;
/** A phrase that holds the value of one of two near ones matches the other less. */
const SMALLEST_RELEVANCE = 0.95;

/**
 * The one of these hits, best first, that is meant: the one that says what the phrase says; else, of those that are near the
 * best, and match as well, the newest. Of those that say the same as that one the one with a rationale.
 */
export function meant<Node extends Stated>(hits: readonly Node[], phrase: string): Node | undefined {
  const [best, ...others] = hits;
  if (!best) return undefined;
  const own = valueSentences(best.content);
  const near = others.filter(
    ({ content, relevance }) =>
      relevance >= SMALLEST_RELEVANCE && likenessOf(own, valueSentences(content), () => 1) >= SMALLEST_LIKENESS,
  );
  const newest = [best, ...near].reduce((one, other) => (isNewer(other, one) ? other : one));
  const chosen = hits.find(({ content }) => said(content) === said(phrase)) ?? newest;
  const same = hits.filter(({ content }) => said(content) === said(chosen.content));
  return same.find(({ rationale }) => rationale !== null) ?? chosen;
}

function isNewer(one: Stated, other: Stated): boolean {
  return one.valid_from > other.valid_from || (one.valid_from === other.valid_from && one.seq > other.seq);
}
