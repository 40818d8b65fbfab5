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
  const signs: (readonly string[])[] = [];
  for (const key of lost) {
    const named = key.code_type === FILE_TYPE ? new Set<string>() : wordsOf(lastOf(key.name));
    signs.push(longest(named, 1));
    // Under another name its text is the same, too.
    const said = wordsOf((await past?.textOf(key)) ?? '');
    for (const word of named) said.delete(word);
    signs.push(longest(said, LONGEST_WORDS));
  }
  const asked = signs.filter((words) => words.length > 0);
  return paths.filter((path) => {
    const words = wordsOf(textOf(path) ?? '');
    return asked.some((sign) => sign.every((word) => words.has(word)));
  });
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(WORD));
}

function longest(words: ReadonlySet<string>, most: number): string[] {
  return [...words].sort((a, b) => b.length - a.length).slice(0, most);
}
