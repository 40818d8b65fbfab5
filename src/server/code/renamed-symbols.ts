/** Finds the symbols that had another name, where things in them have the old one, or the new one, too. */
import type { Extract } from '../graph/extract';
import { languageOf } from '../graph/language-of';
import { LeftOut } from '../graph/parse-limit';
import { hashOf } from '../graph/read-source';
import type { FindRenamed, FormerName, RenamedSymbol } from '../memory/code/renamed-symbol';
import type { CodeSymbol } from '../memory/code/touches';

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
    kept.set(asked, found);
    return found;
  };
}

async function renamedIn(
  extract: Extract,
  path: string,
  text: string,
  former: readonly FormerName[],
): Promise<readonly RenamedSymbol[]> {
  const language = languageOf(path, text);
  if (!language) return [];
  try {
    const { definitions } = await extract(text, language, { former, symbolsAlone: true });
    return definitions.flatMap(({ code_type, qualified: name, start_line, former = [] }) =>
      former.length > 0 ? [{ code_type, name, start_line, former }] : [],
    );
  } catch (error) {
    if (error instanceof LeftOut) return [];
    throw error;
  }
}

/** No marker stands for another name in the hash of a symbol: not for `#get` and `empty?`. */
const WORD = /^[\p{L}\p{N}_$]+$/u;

/**
 * The only ones for which the text has to be taken apart: all others have the same hash under each name.
 * @param text of their file
 * @param last the last part of the former name
 */
export function withNamesakes<One extends CodeSymbol>(symbols: readonly One[], text: string, last: string): One[] {
  const lines = text.split('\n');
  return symbols.filter(({ name, start_line, end_line }) => {
    const own = name.slice(name.lastIndexOf('.') + 1);
    const said = lines.slice(start_line - 1, end_line).join('\n');
    const isOnce = said.indexOf(own) === said.lastIndexOf(own) && !said.includes(last);
    return own !== last && !(isOnce && WORD.test(own) && WORD.test(last));
  });
}

/** Those of the symbols that had the name with this number. */
export function amongRenamed<One extends CodeSymbol>(
  symbols: readonly One[],
  renamed: readonly RenamedSymbol[],
  number: number,
): One[] {
  const had = renamed.filter(({ former }) => former.includes(number));
  return symbols.filter(({ code_type, name, start_line }) =>
    had.some((one) => one.code_type === code_type && one.name === name && one.start_line === start_line),
  );
}
