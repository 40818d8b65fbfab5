/** Takes branches of conditional compilation out of a source. */

const BLANKED = /[^\r\n]/g;

export function blank(text: string): string {
  return text.replace(BLANKED, ' ');
}

/** One `#if` with its branches: where each of their lines begins and ends. */
interface Condition {
  /** Where the lines of its directives begin. */
  readonly directives: number[];
  /** What stands before it, as code. */
  readonly before: string;
  readonly branches: Branch[];
}

interface Branch {
  readonly start: number;
  end: number;
  /** Brackets that are open at its end, less those that were at its beginning; the least on the way. */
  depth: number;
  least: number;
  /** Its last character that is code. */
  last: string;
}

/** Deeper ones are no code that people write, and are read as they are. */
const DEEPEST = 100;
const DIRECTIVE = /[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b/y;
/** Comments and literals, of which none may hold a bracket for us; then whatever else matters. */
const PIECES =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?"""|@"(?:[^"]|"")*"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n]){1,8}'|\n|\S/g;
const STATEMENT_ENDS = new Set(['', ';', '{', '}', ']', ':']);

/**
 * Of branches that hold a part of a statement or of a block, only the first is left. What is whole stays: the grammar reads
 * directives between statements and declarations.
 */
export function withoutBranches(text: string): string {
  const out: { start: number; end: number }[] = [];
  const open: Condition[] = [];
  let last = '';
  const take = (piece: string): void => {
    last = piece;
    const step = '([{'.includes(piece) ? 1 : ')]}'.includes(piece) ? -1 : 0;
    for (const { branches } of open) {
      const branch = branches.at(-1);
      if (!branch) continue;
      branch.last = piece;
      branch.depth += step;
      branch.least = Math.min(branch.least, branch.depth);
    }
  };
  /** @returns where the line ends that begins there, with those that it goes on in */
  const lineEnd = (start: number): number => {
    let end = text.indexOf('\n', start);
    while (end > 0 && /\\\r?$/.test(text.slice(Math.max(0, end - 2), end))) end = text.indexOf('\n', end + 1);
    return end < 0 ? text.length : end;
  };
  const directive = (kind: string, start: number, end: number): void => {
    if (kind.startsWith('if')) open.push({ directives: [], before: last, branches: [] });
    const condition = open.at(-1);
    if (!condition) return;
    condition.directives.push(start);
    const before = condition.branches.at(-1);
    if (before) before.end = start;
    if (kind !== 'endif') {
      condition.branches.push({ start: end, end, depth: 0, least: 0, last: '' });
      return;
    }
    open.pop();
    if (isWhole(condition)) return;
    for (const place of condition.directives) out.push({ start: place, end: lineEnd(place) });
    // Only what is left was there: the others changed nothing of what stands around.
    const [first, ...others] = condition.branches;
    for (const { start: from, end: until, depth } of others) {
      out.push({ start: from, end: until });
      for (const { branches } of open) {
        const branch = branches.at(-1);
        if (branch) branch.depth -= depth;
      }
    }
    last = first?.last === '' ? condition.before : (first?.last ?? last);
    const around = open.at(-1)?.branches.at(-1);
    if (around) around.last = last;
  };
  PIECES.lastIndex = 0;
  for (let at = 0; at < text.length; ) {
    // At the beginning of a line.
    DIRECTIVE.lastIndex = at;
    const kind = DIRECTIVE.exec(text)?.[1];
    const end = lineEnd(at);
    if (open.length > DEEPEST) return text;
    if (kind !== undefined || /^[ \t]*#/.test(text.slice(at, Math.min(end, at + 80)))) {
      if (kind !== undefined) directive(kind, at, end);
      at = end + 1;
      continue;
    }
    PIECES.lastIndex = at;
    at = text.length;
    for (let piece = PIECES.exec(text); piece; piece = PIECES.exec(text)) {
      if (piece[0] === '\n') {
        at = PIECES.lastIndex;
        break;
      }
      if (piece[0].length === 1) take(piece[0]);
      else if (!/^\/[/*]/.test(piece[0])) take('"');
    }
  }
  if (out.length === 0) return text;
  let mended = '';
  let at = 0;
  for (const { start, end } of out.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    mended += text.slice(at, Math.max(at, start)) + blank(text.slice(Math.max(at, start), end));
    at = end;
  }
  return mended + text.slice(at);
}

function isWhole({ before, branches }: Condition): boolean {
  return (
    STATEMENT_ENDS.has(before) &&
    branches.every(({ depth, least, last }) => depth === 0 && least === 0 && STATEMENT_ENDS.has(last))
  );
}
