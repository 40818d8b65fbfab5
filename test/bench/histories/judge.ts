/** Compares what the product says of a memory's code with what the oracle knows. */
import { type Callable, lastOf } from './oracle';

/** What the product says. */
export interface Said {
  readonly verdict: string;
  /** Where it stands; undefined where it is nowhere. */
  readonly at: { readonly path: string; readonly name: string } | undefined;
}

export const OUTCOMES = ['right', 'silently wrong', 'wrong place', 'false alarm', 'lost', 'not judged'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Judged {
  readonly outcome: Outcome;
  /** It is not in its place, and stands, alone of its simple name, where it did not stand before. */
  readonly stoodElsewhere: boolean;
}

/** The callables of one release. */
export class Release {
  private readonly byPlace: ReadonlyMap<string, readonly Callable[]>;
  private readonly bySimpleName: ReadonlyMap<string, readonly Callable[]>;

  constructor(readonly all: readonly Callable[]) {
    this.byPlace = grouped(all, placeOf);
    this.bySimpleName = grouped(all, ({ name }) => lastOf(name));
  }

  at(place: { readonly path: string; readonly name: string }): readonly Callable[] {
    return this.byPlace.get(placeOf(place)) ?? [];
  }

  called(simpleName: string): readonly Callable[] {
    return this.bySimpleName.get(simpleName) ?? [];
  }
}

function grouped(all: readonly Callable[], by: (one: Callable) => string): ReadonlyMap<string, readonly Callable[]> {
  const groups = new Map<string, Callable[]>();
  for (const one of all) {
    const known = groups.get(by(one));
    if (known) known.push(one);
    else groups.set(by(one), [one]);
  }
  return groups;
}

/** Far less than what is rewritten keeps, and more than what two functions have in common by chance. */
const SAME = 1 / 3;

/** Of all words of both, 0 to 1. */
function wordsInCommon(one: Callable, other: Callable): number {
  const words = one.code.match(/[\w$]+/g) ?? [];
  const left = new Map<string, number>();
  const others = other.code.match(/[\w$]+/g) ?? [];
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of words) {
    const rest = left.get(word) ?? 0;
    if (rest > 0) common += 1;
    left.set(word, rest - 1);
  }
  return (2 * common) / Math.max(words.length + others.length, 1);
}

function placeOf({ path, name }: { readonly path: string; readonly name: string }): string {
  return `${path}#${name}`;
}

export function judge(linked: Callable, before: Release, now: Release, { verdict, at }: Said): Judged {
  const own = now.at(linked);
  const alike = now.called(lastOf(linked.name));
  const [only] = alike;
  // A twin that stood there before is not where it went, and neither is a namesake that does something else.
  const isItself = only && alike.length === 1 && before.at(only).length === 0 && wordsInCommon(linked, only) >= SAME;
  const elsewhere = own.length === 0 && isItself ? only : undefined;
  const result = (outcome: Outcome): Judged => ({ outcome, stoodElsewhere: elsewhere !== undefined });
  if (verdict === 'not judged') return result('not judged');
  const isHere = at !== undefined && placeOf(at) === placeOf(linked);
  const isFine = verdict === 'unchanged' || verdict === 'moved';
  if (own.length > 0) {
    const same = own.filter(({ code }) => code === linked.code);
    if (at && !isHere) return result('wrong place');
    if (isFine) return result(same.length > 0 ? 'right' : 'silently wrong');
    // By the rules, a comment inside counts.
    if (same.some(({ comments }) => comments === linked.comments)) return result('false alarm');
    return result(at ? 'right' : 'lost');
  }
  if (isFine && !(at && now.at(at).some(({ code }) => code === linked.code))) return result('silently wrong');
  if (!elsewhere) return result('right');
  if (!at) return result('lost');
  return result(placeOf(at) === placeOf(elsewhere) ? 'right' : 'wrong place');
}

/**
 * Whether `check` should name a memory on this function between two releases.
 * @returns undefined where that is a matter of taste, or was doubtful before: only comments changed, or it went away and
 * the same text stands elsewhere
 */
export function shouldBeNamed(linked: Callable, before: Release, now: Release): boolean | undefined {
  const isSame = (one: Callable): boolean => one.code === linked.code;
  const isExact = (one: Callable): boolean => isSame(one) && one.comments === linked.comments;
  if (!before.at(linked).some(isExact)) return undefined;
  const own = now.at(linked);
  if (own.some(isExact)) return false;
  if (own.some(isSame)) return undefined;
  return own.length > 0 || !now.called(lastOf(linked.name)).some(isSame) ? true : undefined;
}
