/** Finds the symbols that had another name, where things in them have the old one, or the new one, too. */
import { type Extract, isOldHash } from '../graph/extract';
import { isOneToken, wordsOf } from '../graph/former-names';
import { languageOf } from '../graph/language-of';
import { LeftOut } from '../graph/parse-limit';
import { isSameSort } from '../graph/parsed';
import { hashOf } from '../graph/read-source';
import type { FindRenamed, FormerName, RenamedSymbol } from '../memory/code/renamed-symbol';
import type { CodeSymbol, SymbolPlace } from '../memory/code/touches';
import { lastOf } from './find-moved';
import { FILE_TYPE } from './working-files';

/** A renamed symbol is looked for with each question about its memories. */
const KEPT_ANSWERS = 200;

export function findRenamed(extract: Extract): FindRenamed {
  const kept = new Map<string, readonly RenamedSymbol[]>();
  return async (path, text, former) => {
    const asked = hashOf(JSON.stringify([path, text, former]));
    const known = kept.get(asked);
    if (known) return known;
    const found = await renamedIn(extract, path, text, former);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_ANSWERS && oldest !== undefined) kept.delete(oldest);
    // With more time there is an answer.
    if (found) kept.set(asked, found);
    return found;
  };
}

async function renamedIn(
  extract: Extract,
  path: string,
  text: string,
  former: readonly FormerName[],
): Promise<readonly RenamedSymbol[] | undefined> {
  const language = languageOf(path, text);
  if (!language) return [];
  try {
    const { definitions } = await extract(text, language, { former, symbolsAlone: true });
    return definitions.flatMap(({ code_type, qualified: name, start_line, former = [] }) =>
      former.length > 0 ? [{ code_type, name, start_line, former }] : [],
    );
  } catch (error) {
    if (error instanceof LeftOut) return undefined;
    throw error;
  }
}

/** @param texts hashes; those of older programs are hashes of no text that is looked for */
export function formerName({ code_type, name }: SymbolPlace, texts: readonly string[]): FormerName {
  return { code_type, name: lastOf(name), hashes: texts.filter((text) => !isOldHash(text)) };
}

/** Those of the symbols of a text that had this name; undefined where to find out takes too long. */
export type Renamed<One extends CodeSymbol> = (former: FormerName) => Promise<readonly One[] | undefined>;

type MaybeText = string | undefined;

interface AskedText<One extends CodeSymbol> {
  readonly path: string;
  /** Undefined where there is none. */
  readonly textOf: () => MaybeText | Promise<MaybeText>;
  readonly symbols: readonly One[];
  /** What will be asked about it. */
  readonly former: readonly FormerName[];
}

/** All names are asked about together, with the first of them: the text is taken apart once. */
export function renamedSymbols<One extends CodeSymbol>(
  { path, textOf, symbols, former: expected }: AskedText<One>,
  ask: FindRenamed | undefined,
): Renamed<One> {
  const askAbout = async (former: readonly FormerName[]): Promise<ReadonlyMap<number, One[]> | undefined> => {
    const had = new Map<number, One[]>();
    const text = await textOf();
    if (!ask || text === undefined || !mayBeRenamed(symbols, text, former)) return had;
    const found = await ask(path, text, former);
    const numbers = new Map<string, number[]>();
    for (const one of found ?? []) for (const number of one.former) add(numbers, placeOf(one), number);
    for (const symbol of symbols) {
      for (const number of new Set(numbers.get(placeOf(symbol)))) add(had, number, symbol);
    }
    return found && had;
  };
  const asked = new Map<string, FormerName>();
  for (const one of expected) if (isAsked(one)) asked.set(JSON.stringify(one), one);
  const numbers = new Map([...asked.keys()].map((key, number) => [key, number]));
  let answer: ReturnType<typeof askAbout> | undefined;
  return async (former) => {
    if (!isAsked(former)) return [];
    const number = numbers.get(JSON.stringify(former));
    if (number !== undefined) answer ??= askAbout([...asked.values()]);
    const had = await (number === undefined ? askAbout([former]) : answer);
    return had && (had.get(number ?? 0) ?? []);
  };
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function isAsked({ code_type, hashes }: FormerName): boolean {
  return code_type !== FILE_TYPE && hashes.length > 0;
}

function placeOf({ code_type, name, start_line }: Pick<CodeSymbol, 'code_type' | 'name' | 'start_line'>): string {
  return JSON.stringify([code_type, name, start_line]);
}

/**
 * Whether the text has to be taken apart. A symbol in which its own name stands once, and no other one that is asked about,
 * has the same hash under each name; it was found by that, if it is what is looked for.
 */
function mayBeRenamed(symbols: readonly CodeSymbol[], text: string, former: readonly FormerName[]): boolean {
  const ofInterest = new Set([...symbols, ...former].map(({ name }) => lastOf(name)));
  const words = text
    .split('\n')
    .flatMap((line, i) => wordsOf(line).flatMap((word) => (ofInterest.has(word) ? [{ word, line: i + 1 }] : [])));
  const byWord = new Map<string, Word[]>();
  for (const one of words) add(byWord, one.word, one);
  return [...new Set(symbols.map(({ code_type }) => code_type))].some((type) => {
    const names = new Set(former.filter((one) => isSameSort(one.code_type, type)).map(({ name }) => name));
    const unmarked = [...names].filter((name) => !isOneToken(name));
    const said = words.filter(({ word }) => names.has(word));
    return symbols.some((one) => {
      const own = lastOf(one.name);
      if (one.code_type !== type || names.size === (names.has(own) ? 1 : 0)) return false;
      if (!isOneToken(own) || unmarked.length > 0 || within(byWord.get(own) ?? [], one).length > 1) return true;
      return within(said, one, own).length > 0;
    });
  });
}

interface Word {
  readonly word: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The first two of these words that stand in a symbol. @param words in their order */
function within(words: readonly Word[], { start_line, end_line }: CodeSymbol, but?: string): Word[] {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.line ?? 0) < start_line) low = middle + 1;
    else high = middle;
  }
  const found: Word[] = [];
  for (let at = low; (words[at]?.line ?? Number.POSITIVE_INFINITY) <= end_line && found.length < 2; at++) {
    const one = words[at];
    if (one && one.word !== but) found.push(one);
  }
  return found;
}
