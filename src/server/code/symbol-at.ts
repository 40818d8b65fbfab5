/** Names the symbol at a line of a text, without a code graph. */
import { languageOf } from '../graph/language-of';
import { openExtractor } from '../graph/open-extractor';
import { meantLine } from './meant-line';
import { FILE_TYPE, symbolsOf } from './working-files';

export interface SymbolsOfTexts {
  /**
   * @param path tells the language
   * @param line from 1; a comment right above a symbol counts as its first line
   * @returns the qualified name of the innermost symbol, null outside of all, undefined where the text cannot be read
   */
  at(path: string, text: string, line: number): Promise<string | null | undefined>;
  close(): Promise<void>;
}

/** @param assets the folder of the built programs */
export function openSymbolsOfTexts(assets: string): SymbolsOfTexts {
  const { extract, close } = openExtractor(assets);
  return {
    async at(path, text, line) {
      if (!languageOf(path, text)) return undefined;
      const { symbols, left_out } = await symbolsOf(extract, path, text);
      if (left_out) return undefined;
      const meant = meantLine(path, text, line, symbols);
      const around = symbols.filter(
        (one) => one.code_type !== FILE_TYPE && one.start_line <= meant && meant <= one.end_line,
      );
      // Of those that fill the same lines, the inner one comes later.
      const [innermost] = around.toReversed().sort((a, b) => a.end_line - a.start_line - (b.end_line - b.start_line));
      return innermost?.name ?? null;
    },
    close,
  };
}
