/** Adds decorators, attributes and comments to the definitions that they belong to. */
import type { RawBlock, RawDefinition } from './parsed';

/** A definition with the decorators and attributes above it, which the grammar may hold to be no part of it. */
export interface WholeDefinition extends RawDefinition {
  /** Where it begins without them, in UTF-16 units; and the row, counted from 0. */
  readonly head: number;
  readonly headRow: number;
}

export interface RawDecoration extends RawBlock {
  readonly startRow: number;
}

/** A comment, or a word that the grammar puts around a definition. One after the other, each as it begins. */
const PASSED = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#(?!\[)[^\n]*|(?:export|default|declare)\b/y;
const MOST_BETWEEN = 2_000;

export function withDecorations(
  definitions: readonly RawDefinition[],
  decorations: readonly RawDecoration[],
  text: string,
): WholeDefinition[] {
  const ordered = [...decorations].sort((a, b) => a.end - b.end);
  return definitions.map((raw) => {
    let { start, startRow } = raw;
    for (let at = endedBefore(ordered, start); at >= 0; at--) {
      const one = ordered[at];
      if (!one || start - one.end > MOST_BETWEEN || !isNothingBetween(text.slice(one.end, start))) break;
      ({ start, startRow } = one);
    }
    return { ...raw, start, startRow, head: raw.start, headRow: raw.startRow };
  });
}

/** Whether a decorator belongs to the definition that follows. */
export function isNothingBetween(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    PASSED.lastIndex = at;
    if (!PASSED.test(text)) return false;
    at = PASSED.lastIndex;
  }
  return true;
}

/** The index of the last one that ends at or before this place; -1 for none. */
function endedBefore(ordered: readonly RawDecoration[], place: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle]?.end ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
