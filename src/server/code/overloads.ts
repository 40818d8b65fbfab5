/** Tells which of several symbols of one name is meant: overloads of a function. */
import { isSameSort } from '../graph/parsed';
import { acceptedTexts, accepts, textsOfOverloads } from '../memory/code/accepted-texts';
import type { CodeSymbol, TouchKey } from '../memory/code/touches';
import { type ComparedFile, countedWords, type FormerText } from './most-alike';
import { namedAs } from './under-its-name';

/** Overloads of one function that are not as they were. */
export interface Rewritten<Old, One> {
  /** In an order that is the same for everybody who asks. */
  readonly lost: readonly Old[];
  /** What stands there that is none of those that are as they were. */
  readonly free: readonly One[];
}

/** What is known of their texts. */
interface Known<Old> {
  former(was: Old): Promise<FormerText | undefined>;
  comparedAt(path: string): ComparedFile | undefined;
}

/** The same of the overloads of a memory, with the text of a file. */
export interface KnownOverloads extends Known<TouchKey> {
  textOf(path: string): string | undefined;
}

/** For who asks where nothing was rewritten. */
export const NOTHING_KNOWN: KnownOverloads = {
  former: async () => undefined,
  comparedAt: () => undefined,
  textOf: () => undefined,
};

/** More pairs of what was and what is are not compared: nobody writes as many overloads of one function. */
const MOST_PAIRS = 1_000;

/** Whether only their texts tell what one of them became. */
export function areSeveral({ lost, free }: Rewritten<unknown, unknown>): boolean {
  return free.length > 0 && lost.length + free.length > 2 && lost.length * free.length <= MOST_PAIRS;
}

/**
 * What each of them became. Those that are most alike belong together, and no two became the same one; one has nothing where
 * the others became all that there is.
 */
export async function allBecame<Old, One extends CodeSymbol>(
  rewritten: Rewritten<Old, One>,
  { former, comparedAt }: Known<Old>,
): Promise<ReadonlyMap<Old, One>> {
  const { lost, free } = rewritten;
  const file = areSeveral(rewritten) ? comparedAt(free[0]?.file_path ?? '') : undefined;
  const became = new Map<Old, One>();
  if (!file) {
    for (const [i, was] of lost.entries()) if (free[i]) became.set(was, free[i]);
    return became;
  }
  const pairs: { readonly was: Old; readonly now: One; readonly alike: number }[] = [];
  for (const was of lost) {
    const old = await former(was);
    const words = old && countedWords(old.text);
    // What nobody knows any more is like nothing.
    pairs.push(...free.map((now) => ({ was, now, alike: words ? file.likeness(words, now) : 0 })));
  }
  pairs.sort((a, b) => b.alike - a.alike);
  const taken = new Set<One>();
  for (const { was, now } of pairs) {
    if (became.has(was) || taken.has(now)) continue;
    became.set(was, now);
    taken.add(now);
  }
  return became;
}

function inOrder<Old, One>(one: Old, { lost, free }: Rewritten<Old, One>): One | undefined {
  return free[lost.indexOf(one)];
}

/** The texts that a link accepts. */
type Texts = readonly string[];

/** Lost are those of the links of its memory to overloads that accept nothing of what stands there. */
interface Overloads<One> extends Rewritten<Texts, One> {
  /** What has the name of the link: of its type, where there is any. */
  readonly named: readonly One[];
  /** What is as the link accepts it. */
  readonly same: One | undefined;
  readonly own: Texts;
}

/** They are told by the link and by what stands there alone, whatever else is asked about: so all memories agree. */
export function overloadsOf<One extends CodeSymbol>(symbols: readonly One[], key: TouchKey): Overloads<One> {
  // A function that became a method, or an interface that became a type, is the same one.
  const anyKind = namedAs(symbols, key);
  const ofKind = anyKind.filter((one) => one.code_type === key.code_type);
  const named = ofKind.length > 0 ? ofKind : anyKind;
  const own = acceptedTexts(key);
  // It may accept what came beside it, too.
  const same = named.find((one) => accepts([key.hash], one)) ?? named.find((one) => accepts(own, one));
  if (same || named.length === 0) return { named, same, own, lost: [], free: [] };
  return { named, same, own, ...rewrittenOf(named, own, key) };
}

function rewrittenOf<One extends CodeSymbol>(named: readonly One[], own: Texts, key: TouchKey): Rewritten<Texts, One> {
  // Of two memories the links were made in different orders.
  const links = [own, ...textsOfOverloads(key)].sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const accepted = new Set(links.flat());
  const standing = new Set(named.flatMap(({ hash, old_hash }) => [hash, old_hash]));
  return {
    lost: links.filter((texts) => !texts.some((text) => standing.has(text))),
    free: named.filter(({ hash, old_hash }) => !accepted.has(hash) && !(old_hash && accepted.has(old_hash))),
  };
}

/** Beside the overload that a link is on. */
export interface Beside<One> {
  /** What it accepts as well. */
  readonly accepted: readonly One[];
  /** What no link of its memory accepts, nor was there in another form: the function has got an overload. */
  readonly added: readonly One[];
}

/** Whether it is this of the links of its memory to overloads of a function that is on what came since, too. */
export function isForAll(key: TouchKey): boolean {
  return isSameSort(key.code_type, 'function') && textsOfOverloads(key).every(([hash = '']) => key.hash < hash);
}

/** Those of its type: a function has no overload that is an interface. */
function overloadsBeside<One extends CodeSymbol>(symbols: readonly One[], { code_type, name }: One): One[] {
  return namedAs(symbols, { code_type, name }).filter((one) => one.code_type === code_type);
}

/** Whether there may be any that were added. @param symbol where the link is */
export function hasMore<One extends CodeSymbol>(symbols: readonly One[], key: TouchKey, symbol: One): boolean {
  const named = isForAll(key) ? overloadsBeside(symbols, symbol) : [];
  if (named.length < 2) return false;
  const { lost, free } = rewrittenOf(named, acceptedTexts(key), key);
  return free.length > lost.length;
}

/** Overloads of a function that its link is on as well. @param symbol where it is */
export async function besideIt<One extends CodeSymbol>(
  symbols: readonly One[],
  key: TouchKey,
  symbol: One,
  known: KnownOverloads,
): Promise<Beside<One>> {
  const named = isForAll(key) ? overloadsBeside(symbols, symbol) : [];
  if (named.length < 2) return { accepted: [], added: [] };
  const own = acceptedTexts(key);
  const isAnother = (one: One): boolean => one.start_line !== symbol.start_line || one.hash !== symbol.hash;
  const others = named.filter(isAnother);
  const accepted = others.filter((one) => accepts(own, one));
  const rewritten = rewrittenOf(named, own, key);
  if (rewritten.free.length <= rewritten.lost.length) return { accepted, added: [] };
  const became = new Set((await allBecame(rewritten, { ...known, former: formerOf(key, known) })).values());
  const left = rewritten.free.filter((one) => isAnother(one) && !became.has(one));
  return { accepted, added: left.length === 0 ? left : withTheOthers(left, named, known.textOf(symbol.file_path)) };
}

/** What may stand between two overloads: comments, decorators and empty lines. */
const BETWEEN = /^\s*(?:$|\/\/|\/?\*|#|@|"""|--)/;

/**
 * Those that belong to the others of their name: members of a class, wherever they are in it, and functions that stand beside
 * another one. A function of that name in another callback of the file is another function.
 * @param text of the file
 */
export function withTheOthers<One extends CodeSymbol>(
  some: readonly One[],
  named: readonly One[],
  text: string | undefined,
): One[] {
  const lines = text?.split('\n') ?? [];
  const isNext = (first: One, second: One): boolean =>
    first.end_line < second.start_line &&
    lines.slice(first.end_line, second.start_line - 1).every((line) => BETWEEN.test(line));
  return some.filter(
    (one) => one.name.includes('.') || named.some((other) => isNext(one, other) || isNext(other, one)),
  );
}

function formerOf(key: TouchKey, { former }: KnownOverloads): Known<Texts>['former'] {
  return ([hash = '', ...confirmed]) => former({ ...key, hash, confirmed: JSON.stringify(confirmed) });
}

/**
 * The one that is as it was, else what it became by the order of them. Where one of several is there no more and the others
 * are as they were, the first of them stands for it.
 */
export function overloadThatIs<One>(overloads: Overloads<One>): One | undefined {
  const { named, same, own } = overloads;
  return same ?? inOrder(own, overloads) ?? named[0];
}

/** The same, where the texts tell what it became. */
export async function overloadIn<One extends CodeSymbol>(
  symbols: readonly One[],
  key: TouchKey,
  known: KnownOverloads,
): Promise<One | undefined> {
  const overloads = overloadsOf(symbols, key);
  const { named, same, own } = overloads;
  if (same) return same;
  return (await allBecame(overloads, { ...known, former: formerOf(key, known) })).get(own) ?? named[0];
}
