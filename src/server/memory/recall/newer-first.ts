/** Puts the current one of several that say nearly the same first. */
import { HOUR_MS } from '../../base/clock';
import { stem } from '../text/analyze';
import { isFunctionWord } from './query';
import type { Candidate } from './search';
import type { Weights } from './weights';

/** A hit in its place. */
export interface Hit {
  readonly node: Candidate;
  /** Its own match. */
  readonly own: number;
  /** How often each term of the question occurs in it. */
  readonly frequencies: readonly number[];
}

/** What the hits are held against. */
export interface Asked {
  /** Of each term of the question. */
  readonly rarity: readonly number[];
  readonly weights: Pick<Weights, 'asked' | 'askedOfBoth'>;
}

/** A hit, and the one that says nearly the same and is newer. */
export interface Placing<One> {
  readonly hit: One;
  readonly newer?: One;
  /** The one that it is newer than. */
  readonly older?: One;
}

/** What was said within this time belongs together: a repetition is not newer. */
const APART_MS = HOUR_MS;
/** How many of the first hits are compared with each other: more are seldom printed. */
const COMPARED = 40;
/** A longer memory says several things, so that another one may be newer in one of them only. */
const MOST_WORDS = 40;
/** Words besides question words that two share at least, and their share of the words of the one that has fewer. */
const FEWEST_SHARED = 4;
const SHARED_TO_COME_FIRST = 0.3;
/** From this share on the older one is marked, too: a reader takes that for more than an order. */
const SHARED_TO_BE_MARKED = 0.6;
/** The newer one matches the question at least this well, as a share of the match of the older one. */
const AS_GOOD = 0.5;
/** A number is where something was spoken of, or the very value that has changed: to share one makes no two alike. */
const NUMBER = /^\d+$/;

/**
 * Of hits that say nearly the same of the same thing, the newest comes right before the one that is best. They do so when
 * they are short, of one kind, share words, and an hour or more lies between them; and when both are about what is asked: the
 * older one holds a good part of the question, and the newer one holds of that as good as all.
 * @param hits best first
 */
export function newerFirst<One extends Hit>(hits: readonly One[], asked: Asked): Placing<One>[] {
  const compared = hits.slice(0, COMPARED);
  const alike = likenessAmong<One>();
  const newestLike = (hit: One, among: readonly One[], share: number): One | undefined =>
    among
      .filter((other) => isNewer(other, hit, asked) && alike(other, hit) >= share)
      .reduce<One | undefined>((best, other) => (best && !isLater(other, best) ? best : other), undefined);
  const placed = new Set<One>();
  for (const hit of compared) {
    if (placed.has(hit)) continue;
    const left = compared.filter((other) => !placed.has(other));
    placed.add(newestLike(hit, left, SHARED_TO_COME_FIRST) ?? hit).add(hit);
  }
  const ordered = [...placed];
  const newerOf = new Map(
    ordered.map((hit, i) => [hit, newestLike(hit, ordered.slice(0, i), SHARED_TO_BE_MARKED)] as const),
  );
  return [...ordered, ...hits.slice(COMPARED)].map((hit) => {
    const newer = newerOf.get(hit);
    const older = ordered.find((other) => newerOf.get(other) === hit);
    return { hit, ...(newer === undefined ? {} : { newer }), ...(older === undefined ? {} : { older }) };
  });
}

function isNewer(other: Hit, hit: Hit, asked: Asked): boolean {
  return (
    other.node.kind === hit.node.kind &&
    // Nothing that waits for a person makes anything else older.
    (!other.node.proposed || hit.node.proposed) &&
    other.node.validFrom >= hit.node.validFrom + APART_MS &&
    other.own >= hit.own * AS_GOOD &&
    areAboutIt(other, hit, asked)
  );
}

function areAboutIt(other: Hit, hit: Hit, { rarity, weights }: Asked): boolean {
  let [whole, own, both] = [0, 0, 0];
  for (const [t, weight] of rarity.entries()) {
    whole += weight;
    if (!hit.frequencies[t]) continue;
    own += weight;
    if (other.frequencies[t]) both += weight;
  }
  return own >= whole * weights.asked && both >= own * weights.askedOfBoth;
}

function isLater(one: Hit, other: Hit): boolean {
  return one.node.validFrom > other.node.validFrom;
}

/** How alike two of them are. Words are taken apart when they are first asked for: for most pairs something else decides. */
function likenessAmong<One extends Hit>(): (one: One, other: One) => number {
  const words = new Map<One, ReadonlySet<string> | undefined>();
  const of = (hit: One): ReadonlySet<string> | undefined => {
    if (!words.has(hit)) words.set(hit, wordsOf(hit.node));
    return words.get(hit);
  };
  return (one, other) => shared(of(one), of(other));
}

/** 0 where one of them is long, or too few words are shared to tell anything. */
function shared(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): number {
  if (!one || !other) return 0;
  let count = 0;
  for (const word of one) if (other.has(word)) count += 1;
  return count < FEWEST_SHARED ? 0 : count / Math.min(one.size, other.size);
}

/** The stems of what it says; undefined for a long one. */
function wordsOf({ words }: Candidate): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const word of words.split(' ')) {
    if (!isFunctionWord(word) && !NUMBER.test(word)) found.add(stem(word));
    if (found.size > MOST_WORDS) return undefined;
  }
  return found;
}
