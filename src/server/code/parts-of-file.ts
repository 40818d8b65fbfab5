/** What the symbols of a file are made of, and stand in. */
import { isSameSort } from '../graph/parsed';
import type { CodeSymbol } from '../memory/code/touches';

/** The lines of a symbol in the text of its file. */
export function linesOf(text: string, { start_line, end_line }: Pick<CodeSymbol, 'start_line' | 'end_line'>): string {
  return linesAmong(text.split('\n'), { start_line, end_line });
}

/** The same of a text that is split already. */
export function linesAmong(
  lines: readonly string[],
  { start_line, end_line }: Pick<CodeSymbol, 'start_line' | 'end_line'>,
): string {
  return lines.slice(start_line - 1, end_line).join('\n');
}

/** Of the symbols of a file, for one after another: those that it is a part of, and that are of its sort: a function around an inner one. */
export function aroundIn(symbols: readonly CodeSymbol[]): (symbol: CodeSymbol) => CodeSymbol[] {
  const byName = new Map<string, CodeSymbol[]>();
  for (const one of symbols) {
    const known = byName.get(one.name);
    if (known) known.push(one);
    else byName.set(one.name, [one]);
  }
  return (symbol) => {
    const { name, code_type, start_line, end_line } = symbol;
    const isAround = (one: CodeSymbol): boolean =>
      isSameSort(one.code_type, code_type) && one.start_line <= start_line && one.end_line >= end_line;
    const found: CodeSymbol[] = [];
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      found.push(...(byName.get(name.slice(0, dot)) ?? []).filter(isAround));
    }
    return found;
  };
}
