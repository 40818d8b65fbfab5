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

type ByName = ReadonlyMap<string, readonly CodeSymbol[]>;

const indexes = new WeakMap<readonly CodeSymbol[], ByName>();

/** Those of the symbols of a file that are called so; quick for one name after another. */
export function namedIn(symbols: readonly CodeSymbol[], name: string): readonly CodeSymbol[] {
  const index = indexes.get(symbols) ?? byName(symbols);
  indexes.set(symbols, index);
  return index.get(name) ?? [];
}

function byName(symbols: readonly CodeSymbol[]): ByName {
  const index = new Map<string, CodeSymbol[]>();
  for (const one of symbols) {
    const known = index.get(one.name);
    if (known) known.push(one);
    else index.set(one.name, [one]);
  }
  return index;
}

/** Of the symbols of a file, for one after another: those that it is a part of, and that are of its sort: a function around an inner one. */
export function aroundIn(symbols: readonly CodeSymbol[]): (symbol: CodeSymbol) => CodeSymbol[] {
  return (symbol) => {
    const { name, code_type, start_line, end_line } = symbol;
    const isAround = (one: CodeSymbol): boolean =>
      isSameSort(one.code_type, code_type) && one.start_line <= start_line && one.end_line >= end_line;
    const found: CodeSymbol[] = [];
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      found.push(...namedIn(symbols, name.slice(0, dot)).filter(isAround));
    }
    return found;
  };
}
