/** Tells which of several symbols of one name is meant: overloads of a function. */
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

/** More pairs of what was and what is are not compared: nobody writes as many overloads of one function. */
const MOST_PAIRS = 1_000;

/** Whether only their texts tell what one of them became. */
export function areSeveral({ lost, free }: Rewritten<unknown, unknown>): boolean {
  return free.length > 0 && lost.length + free.length > 2 && lost.length * free.length <= MOST_PAIRS;
}

/**
 * What one of them became. Those that are most alike belong together, and no two became the same one.
 * @returns undefined where the others became all that there is
 */
export async function becameOf<Old, One extends CodeSymbol>(
  one: Old,
  rewritten: Rewritten<Old, One>,
  { former, comparedAt }: Known<Old>,
): Promise<One | undefined> {
  const { lost, free } = rewritten;
  const file = areSeveral(rewritten) ? comparedAt(free[0]?.file_path ?? '') : undefined;
  if (!file) return inOrder(one, rewritten);
  const pairs: { readonly was: Old; readonly now: One; readonly alike: number }[] = [];
  for (const was of lost) {
    const old = await former(was);
    const words = old && countedWords(old.text);
    // What nobody knows any more is like nothing.
    pairs.push(...free.map((now) => ({ was, now, alike: words ? file.likeness(words, now) : 0 })));
  }
  pairs.sort((a, b) => b.alike - a.alike);
  const became = new Map<Old, One>();
  const taken = new Set<One>();
  for (const { was, now } of pairs) {
    if (became.has(was) || taken.has(now)) continue;
    became.set(was, now);
    taken.add(now);
  }
  return became.get(one);
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
  const same = named.find((one) => accepts(own, one));
  if (same || named.length === 0) return { named, same, own, lost: [], free: [] };
  // Of two memories the links were made in different orders.
  const links = [own, ...textsOfOverloads(key)].sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const accepted = new Set(links.flat());
  const standing = new Set(named.flatMap(({ hash, old_hash }) => [hash, old_hash]));
  return {
    ...{ named, same, own },
    lost: links.filter((texts) => !texts.some((text) => standing.has(text))),
    free: named.filter(({ hash, old_hash }) => !accepted.has(hash) && !(old_hash && accepted.has(old_hash))),
  };
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
  { former, comparedAt }: Known<TouchKey>,
): Promise<One | undefined> {
  const overloads = overloadsOf(symbols, key);
  const { named, same, own } = overloads;
  const formerOf = ([hash = '', ...confirmed]: Texts) => former({ ...key, hash, confirmed: JSON.stringify(confirmed) });
  return same ?? (await becameOf(own, overloads, { former: formerOf, comparedAt })) ?? named[0];
}
