/** Which options a text names where people may have changed the words of either. Pure. */
import { type Asked, beforeContrary, tellingWords } from './chosen-option';
import { nameOf, type Option, wordsOf } from './options';

type Words = ReadonlySet<string>;

interface Like {
  readonly option: Option;
  readonly shared: Words;
  readonly isWhole: boolean;
  /** Word by word. */
  readonly name: string;
}

/** More are no list of ours, and each is compared with each. */
const MOST = 250;
/** In characters: what says more is no option with other words in it. */
const LONGEST = 1_000;

/**
 * The one that is called so, else those that it is like: of two that share the same words with it, the one that has no others, and
 * not the one in which another has taken the place of some words.
 */
export function namedBy(text: string, asked: Asked): readonly Option[] {
  const { options, areAll } = asked;
  const same = sameAs(text, options);
  // Below "Alternatives" what is only like it is another one.
  if (same || !areAll || options.length > MOST) return same ? [same] : [];
  const isAlike = likenessIn(options);
  const words = tellingWords(text);
  const told = wordByWord(text.slice(0, LONGEST));
  const like = options.flatMap((option): Like[] => {
    const own = tellingWords(nameOf(option));
    const shared = inBoth(own, words);
    if (!isAlike(nameOf(option), text)) return [];
    return [{ option, shared, isWhole: shared.size === own.size, name: wordByWord(nameOf(option)) }];
  });
  const isMeant = (one: Like): boolean =>
    !like.some((other) => other !== one && (isLess(one, other) || isPutInto(one, other, told)));
  return like.filter(isMeant).map(({ option }) => option);
}

function isLess(one: Like, { shared }: Like): boolean {
  const isIn = inBoth(one.shared, shared).size === one.shared.size;
  return isIn && (one.shared.size < shared.size || !one.isWhole);
}

/** Whether a text is the words of one option, but for some in whose place another one stands. */
function isPutInto({ name: one }: Like, { name: other }: Like, told: string): boolean {
  const at = told.indexOf(other);
  if (at < 0) return false;
  const [before, after] = [told.slice(0, at + 1), told.slice(at + other.length - 1)];
  return one.startsWith(before) && one.endsWith(after) && before.length + after.length < one.length;
}

function wordByWord(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ')} `;
}

/**
 * Tells whether one text may be another one in other words: by most words of the shorter one, or by half of them with the first
 * one. Words that several options have tell nothing, and neither is what one of them only turns away.
 */
export function likenessIn(options: readonly Option[]): (name: string, text: string) => boolean {
  const counts = new Map<string, number>();
  for (const word of options.flatMap((one) => [...tellingWords(nameOf(one))]))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const telling = (all: Words): Words => {
    const some = new Set([...all].filter((word) => (counts.get(word) ?? 0) < 2));
    return some.size > 0 ? some : all;
  };
  return (name, text) => {
    const [own, words] = [telling(tellingWords(name)), tellingWords(text)];
    const shared = inBoth(own, words);
    const [first = ''] = own;
    const half = Math.min(own.size, telling(words).size) / 2;
    const isMost = shared.size > half || (shared.size === half && shared.has(first));
    const wanted = [name, text].map((one) => tellingWords(beforeContrary(one)));
    const areContrary = wanted.every(({ size }) => size === 0);
    return isMost && (areContrary || wanted.every((some) => inBoth(shared, some).size > 0));
  };
}

/** By the same words, word for word where there are several. */
export function sameAs(name: string, options: readonly Option[]): Option | undefined {
  const words = wordsOf(name);
  return (
    options.find(({ text }) => text === name) ??
    options.find((one) => wordsOf(one.text) === words || wordsOf(nameOf(one)) === words)
  );
}

function inBoth(some: Words, others: Words): Words {
  return new Set([...some].filter((word) => others.has(word)));
}
