/** Says which stretches of a source are literals and comments. */

/** How the characters of a stretch count; see `queries/ecmascript/text.scm`. */
export type TextKind =
  | 'literal'
  | 'dedented'
  | 'untabbed'
  | 'code'
  | 'comment'
  | 'loose'
  | 'macro'
  | 'heredoc'
  | 'layout';

/** A stretch as the query found it, in UTF-16 units. */
export interface RawText {
  readonly kind: TextKind;
  readonly start: number;
  readonly end: number;
}

export const TEXT_KINDS: ReadonlySet<string> = new Set<TextKind>([
  ...(['literal', 'dedented', 'untabbed', 'code', 'comment'] as const),
  ...(['loose', 'macro', 'heredoc', 'layout'] as const),
]);

export const CODE = 0;
export const LITERAL = 1;
export const COMMENT = 2;
export const LOOSE = 3;
export const LAYOUT = 4;

/** From here on the characters count like this. */
export interface Stretch {
  readonly start: number;
  readonly mode: number;
  /** How many spaces at the beginning of each line are no part of a literal; `ALL_TABS`. */
  readonly margin: number;
}

export const ALL_TABS = -1;

interface Range {
  readonly mode: number;
  readonly start: number;
  readonly end: number;
  readonly margin: number;
}

const MODES: Readonly<Record<TextKind, number>> = {
  ...{ literal: LITERAL, dedented: LITERAL, untabbed: LITERAL, macro: LITERAL, heredoc: LITERAL },
  ...{ code: CODE, comment: COMMENT, loose: LOOSE, layout: LAYOUT },
};

/** The whole source in stretches, in order; one begins where another one ends. */
export function stretchesOf(source: string, texts: readonly RawText[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const put = (start: number, { mode, margin }: Pick<Range, 'mode' | 'margin'>): void => {
    if (stretches.at(-1)?.start === start) stretches.pop();
    stretches.push({ start, mode, margin });
  };
  const open: Range[] = [];
  const close = (until: number): void => {
    for (let last = open.at(-1); last && last.end <= until; last = open.at(-1)) {
      open.pop();
      put(last.end, open.at(-1) ?? OUTSIDE);
    }
  };
  for (const range of inOrder(rangesOf(source, texts))) {
    close(range.start);
    open.push(range);
    put(range.start, range);
  }
  close(Number.POSITIVE_INFINITY);
  return stretches;
}

const OUTSIDE = { mode: CODE, margin: 0 };

/** By their beginnings, outer ones first; of those that are one stretch, the one that says more. */
function inOrder(ranges: readonly Range[]): readonly Range[] {
  const says = ({ mode, margin }: Range): number => mode + Math.abs(margin);
  const ordered = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end || says(a) - says(b));
  return ordered.filter(({ start, end }, i) => ordered[i + 1]?.start !== start || ordered[i + 1]?.end !== end);
}

function rangesOf(source: string, texts: readonly RawText[]): readonly Range[] {
  const ranges: Range[] = [];
  /** Ruby: a heredoc stands below the line that announces it, after those that were announced before. */
  const announced: boolean[] = [];
  for (const { kind, start, end } of texts) {
    const mode = MODES[kind];
    if (kind === 'heredoc') announced.push(source.startsWith('<<~', start));
    else if (kind === 'macro') ranges.push(...literalsIn(source.slice(start, end), start));
    else if (kind === 'dedented') {
      const isDedented = source[start] !== '\n' || (announced.shift() ?? false);
      ranges.push({ mode, start, end, margin: isDedented ? marginOf(source, start, end) : 0 });
    } else if (kind === 'code') {
      // The grammar of shells takes spaces in a string for the beginning of what follows them.
      const spaces = /^\s*/.exec(source.slice(start, end))?.[0].length ?? 0;
      ranges.push({ mode, start: start + spaces, end, margin: 0 });
    } else ranges.push({ mode, start, end, margin: kind === 'untabbed' ? ALL_TABS : 0 });
  }
  return ranges;
}

const IN_MACRO = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/g;

function literalsIn(text: string, offset: number): Range[] {
  return [...text.matchAll(IN_MACRO)].map(({ 0: found, index }) => {
    const mode = found.startsWith('/') ? COMMENT : LITERAL;
    return { mode, start: offset + index, end: offset + index + found.length, margin: 0 };
  });
}

/** The indentation that the lines of a literal share, of its first line only where nothing else stands before it. */
function marginOf(source: string, start: number, end: number): number {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const isAlone = source.slice(lineStart, start).trim() === '';
  const lines = source.slice(isAlone ? lineStart : start, end).split('\n');
  const margins = (isAlone ? lines : lines.slice(1))
    .filter((line, i, all) => i === all.length - 1 || line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  return margins.length === 0 ? 0 : Math.min(...margins);
}
