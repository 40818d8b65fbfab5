/** What the symbols of a file are made of, and stand in. */
import { isSameSort } from '../graph/parsed';
import type { CodeSymbol } from '../memory/code/touches';

/** The lines of a symbol in the text of its file. */
export function linesOf(text: string, { start_line, end_line }: Pick<CodeSymbol, 'start_line' | 'end_line'>): string {
  return text
    .split('\n')
    .slice(start_line - 1, end_line)
    .join('\n');
}

/** Those of the symbols of its file that it is a part of, and that are of its sort: a function around an inner one. */
export function around(symbol: CodeSymbol, symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.filter(
    (one) =>
      symbol.name.startsWith(`${one.name}.`) &&
      isSameSort(one.code_type, symbol.code_type) &&
      one.start_line <= symbol.start_line &&
      one.end_line >= symbol.end_line,
  );
}
