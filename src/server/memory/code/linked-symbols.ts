/** Which of the symbols that a memory's names stand for it is linked to. */
import { isEverydayWord } from '../../base/everyday-word';
import type { MatchedNames, NamedEntities, SymbolAtCommit } from './touches';
import { filesNamed } from './values-named';

/**
 * The symbols that the names of a memory link it to. An everyday word does that only in a file that the memory names.
 * @param matched what the names stand for
 * @param all its names, where `names` are not all
 */
export function linkedSymbols(
  { names, all = names }: Pick<NamedEntities, 'names' | 'all'>,
  matched: MatchedNames,
): readonly SymbolAtCommit[] {
  const files = new Set(all.flatMap(filesNamed));
  return names.flatMap((name) =>
    (matched.get(name) ?? []).filter(({ file_path }) => !isEverydayWord(name) || files.has(file_path)),
  );
}
