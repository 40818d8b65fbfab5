/** Finds the symbol that another one became, by their texts. */
import type { CodeSymbol } from '../memory/code/touches';
import { around, linesOf } from './parts-of-file';

/** A share of common words from which two texts count as one that was rewritten; Git takes a half of the lines. */
const ALIKE = 0.6;
/** Shorter texts are alike by chance. */
const FEWEST_WORDS = 12;
/** Comparing is as long as the texts are. */
const LONGEST = 200_000;

/** A symbol as it was. */
export interface FormerText {
  readonly text: string;
  /** How many functions it was an inner one of. */
  readonly level: number;
}

/** Where a symbol may stand now. */
export interface AmongSymbols<One extends CodeSymbol> {
  readonly candidates: readonly One[];
  /** All of the file of the candidates. */
  readonly symbols: readonly CodeSymbol[];
  /** The text of that file. */
  readonly text: string;
}

/**
 * A function holds the text of its inner ones, so that they are alike, too: of these the one that is as far inside as the old
 * one was, else the one that is most alike.
 * @returns the only candidate that is alike; undefined where none is, or several are that are no parts of each other
 */
export function onlyAlike<One extends CodeSymbol>(
  old: FormerText,
  { candidates, symbols, text }: AmongSymbols<One>,
): One | undefined {
  const words = countedWords(old.text);
  if (!words || words.all < FEWEST_WORDS) return undefined;
  const alike = candidates.flatMap((symbol) => {
    const likeness = share(words, countedWords(linesOf(text, symbol)));
    return likeness >= ALIKE ? [{ symbol, likeness, around: around(symbol, symbols) }] : [];
  });
  const asFarInside = alike.filter((one) => one.around.length === old.level);
  const [most] = (asFarInside.length > 0 ? asFarInside : [...alike]).sort((a, b) => b.likeness - a.likeness);
  const isOnly = alike.every(
    (one) => one === most || one.around.some((outer) => outer === most?.symbol) || most?.around.includes(one.symbol),
  );
  return isOnly ? most?.symbol : undefined;
}

interface Words {
  readonly all: number;
  readonly counts: ReadonlyMap<string, number>;
}

function countedWords(text: string): Words | undefined {
  if (text.length > LONGEST) return undefined;
  const counts = new Map<string, number>();
  const words = text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { all: words.length, counts };
}

/** Words in common, of all of both: 0 to 1. */
function share(one: Words, other: Words | undefined): number {
  if (!other) return 0;
  let common = 0;
  for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * common) / (one.all + other.all);
}
