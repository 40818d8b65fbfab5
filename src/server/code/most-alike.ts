/** Finds the symbol that another one became, by their texts. */
import type { CodeSymbol } from '../memory/code/touches';
import { aroundIn, linesAmong } from './parts-of-file';

/** A share of common words from which two texts count as one that was rewritten; Git takes a half of the lines. */
const ALIKE = 0.6;
/** Shares that differ by less are about the same. */
const ABOUT_EQUAL = 0.1;
/** Shorter texts are alike by chance. */
const FEWEST_WORDS = 12;
/** Comparing is as long as the texts are. */
const LONGEST = 200_000;

/** A symbol as it was. */
export interface FormerText {
  /** Qualified. */
  readonly name: string;
  readonly text: string;
  /** How many functions it was an inner one of; undefined where nobody knows it any more. */
  readonly level: number | undefined;
}

/** A file whose symbols are compared with one text after another: each of them is taken apart once. */
export interface ComparedFile {
  /** Undefined for a text that is too long to be compared. */
  wordsOf(symbol: CodeSymbol): Words | undefined;
  /** The share of words that a text and one of its symbols have in common, however long they are: 0 to 1. */
  likeness(words: Words, symbol: CodeSymbol): number;
  /** Those of its symbols that one of them is an inner one of. */
  around(symbol: CodeSymbol): readonly CodeSymbol[];
}

/** What a file is compared by. */
export interface TextWithSymbols {
  readonly text: string;
  /** All of the file. */
  readonly symbols: readonly CodeSymbol[];
}

export function comparedFile({ text, symbols }: TextWithSymbols): ComparedFile {
  const lines = text.split('\n');
  const words = new Map<CodeSymbol, Words | undefined>();
  const wordsOf = (symbol: CodeSymbol): Words | undefined => {
    if (!words.has(symbol)) words.set(symbol, countedWords(linesAmong(lines, symbol)));
    return words.get(symbol);
  };
  return {
    wordsOf,
    likeness(words, symbol) {
      const now = wordsOf(symbol);
      return now ? inCommon(words, now) : 0;
    },
    around: aroundIn(symbols),
  };
}

/** Words take more room than texts do: those of the files that were compared last are kept. */
const KEPT_FILES = 10;

/** Files by their paths, for as long as they stay as they are. */
export type ComparedFiles = (path: string, read: () => TextWithSymbols | undefined) => ComparedFile | undefined;

export function comparedFiles(): ComparedFiles {
  const kept = new Map<string, ComparedFile | undefined>();
  return (path, read) => {
    if (kept.has(path)) return kept.get(path);
    const found = read();
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_FILES && oldest !== undefined) kept.delete(oldest);
    const file = found && comparedFile(found);
    kept.set(path, file);
    return file;
  };
}

/**
 * A function holds the text of its inner ones, so that they are alike, too: of these the one that is as far inside as the old
 * one was, else the one that is most alike.
 * Where several are about equally alike that are no parts of each other, those count that are in its class, or its function.
 * @param candidates symbols of the file
 * @returns the only candidate that is alike; undefined where none is, or several are
 */
export function onlyAlike<One extends CodeSymbol>(
  old: FormerText,
  candidates: readonly One[],
  file: ComparedFile,
): One | undefined {
  const words = countedWords(old.text);
  if (!words || words.all < FEWEST_WORDS) return undefined;
  const alike = candidates.flatMap((symbol) => {
    const likeness = share(words, file.wordsOf(symbol));
    return likeness >= ALIKE ? [{ symbol, likeness, around: file.around(symbol) }] : [];
  });
  const outer = outerOf(old.name);
  const least = Math.max(...alike.map(({ likeness }) => likeness)) - ABOUT_EQUAL;
  const most = alike.filter(({ likeness }) => likeness > least);
  const beside = outer === '' ? [] : most.filter(({ symbol }) => outerOf(symbol.name) === outer);
  return onlyWhole(alike, old.level) ?? onlyWhole(beside, old.level);
}

function outerOf(qualified: string): string {
  return qualified.slice(0, Math.max(0, qualified.lastIndexOf('.')));
}

interface Alike<One> {
  readonly symbol: One;
  readonly likeness: number;
  readonly around: readonly CodeSymbol[];
}

function onlyWhole<One extends CodeSymbol>(alike: readonly Alike<One>[], level: FormerText['level']): One | undefined {
  const asFarInside = alike.filter((one) => one.around.length === level);
  const [most] = (asFarInside.length > 0 ? asFarInside : [...alike]).sort((a, b) => b.likeness - a.likeness);
  const isOnly = alike.every(
    (one) => one === most || one.around.some((outer) => outer === most?.symbol) || most?.around.includes(one.symbol),
  );
  return isOnly ? most?.symbol : undefined;
}

/** How often each word is in a text. */
export interface Words {
  readonly all: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Undefined for a text that is too long to be compared. */
export function countedWords(text: string): Words | undefined {
  if (text.length > LONGEST) return undefined;
  const counts = new Map<string, number>();
  const words = text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { all: words.length, counts };
}

/** Words in common, of all of both: 0 to 1. Of texts that are of too different lengths to be alike it is 0. */
function share(one: Words, other: Words | undefined): number {
  if (!other || (2 * Math.min(one.all, other.all)) / (one.all + other.all) < ALIKE) return 0;
  return inCommon(one, other);
}

function inCommon(one: Words, other: Words): number {
  let common = 0;
  for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * common) / (one.all + other.all);
}
