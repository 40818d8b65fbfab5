/** Tells which files may hold symbols, without taking the files apart. */
import type { TouchKey } from '../memory/code/touches';
import { lastOf } from './find-moved';
import type { PastSymbols } from './past-symbols';
import { FILE_TYPE } from './working-files';

const WORD = /[\p{L}\p{N}_$]+/gu;
/** Of the text of a symbol: more of them find few files less. */
const LONGEST_WORDS = 4;

/**
 * Of these files, those in which the last name of one of the symbols stands, or all of the longest words of its text: where
 * neither is so, no step that finds a symbol again can find it.
 * @param textOf of a working file
 */
export async function mayHold(
  paths: readonly string[],
  lost: readonly TouchKey[],
  past: PastSymbols | undefined,
  textOf: (path: string) => string | undefined,
): Promise<string[]> {
  past?.expect(lost.flatMap(({ commit, file_path }) => (commit ? [[commit, file_path] as const] : [])));
  const signs: Sign[] = [];
  for (const key of lost) signs.push(...signsOf(key, (await past?.textOf(key)) ?? ''));
  return paths.filter((path) => hasSign(textOf(path) ?? '', signs));
}

/** Words that stand together in each file that has a symbol: its last name, or the longest words of its text. */
export type Sign = readonly string[];

export function signsOf({ code_type, name }: Pick<TouchKey, 'code_type' | 'name'>, text: string): Sign[] {
  const named = code_type === FILE_TYPE ? new Set<string>() : wordsOf(lastOf(name));
  // Under another name its text is the same, too.
  const said = wordsOf(text);
  for (const word of named) said.delete(word);
  return [longest(named, 1), longest(said, LONGEST_WORDS)].filter((words) => words.length > 0);
}

export function hasSign(text: string, signs: readonly Sign[]): boolean {
  const words = wordsOf(text);
  return signs.some((sign) => sign.every((word) => words.has(word)));
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(WORD));
}

function longest(words: ReadonlySet<string>, most: number): string[] {
  return [...words].sort((a, b) => b.length - a.length).slice(0, most);
}
