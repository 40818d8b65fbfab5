/** Takes out of a source what is half typed, so that a grammar reads the rest as it stands. */
import { blank } from './mend-conditions';
import { withoutConflicts } from './without-conflicts';

/** Longer sources are read as they are. */
const LONGEST = 300_000;
/** Characters that are parsed in tries: as many as the source has some times, and these. */
const MOST_TRIED = 150_000;
const TIMES_TRIED = 4;
/** Each try costs something, however short it is. */
const MOST_TRIES = 1_500;
/** People type in one place, or in a few; each conflict of a merge has three such lines. */
const MOST_TAKEN = 12;
/** A text over several lines may look like as many blocks; of those that may end it so many are tried. */
const MOST_JOINED = 3;
const BEGINS_TEXT = /"""|'''|`|\/\*/;
const ENDS_TEXT: ReadonlyMap<string, string> = new Map([['/*', '*/']]);
/** A line that closes what stands above it. */
const CLOSES = /^\s*[)\]}]/;

export interface Reading {
  /** Whether the grammar reads all of a text. */
  readonly reads: (text: string) => boolean;
  /** Blocks are told by their indentation alone, and none may be empty. */
  readonly indented: boolean;
  /** What begins a comment that goes up to the end of its line. */
  readonly comment: string;
}

/** Lines from the first to before the last, counted from 0. */
interface Block {
  readonly from: number;
  readonly to: number;
}

/** The lines around a block, as far as a grammar needs them to read it. */
interface Frame {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

class TooMuch extends Error {}

/**
 * A line that is half typed may open what nothing closes, and a grammar then takes for its part what stands far below.
 * Indentation says what belongs together all the same: of the blocks that cannot be read by themselves, the smallest part is
 * looked for without which they can.
 * @returns the source with spaces in place of that part, so that all else stays where it is; undefined where that does not
 * help, or is too much work. That depends on the text alone.
 */
export function withoutHalfTyped(text: string, { reads, ...how }: Reading): string | undefined {
  if (text.length > LONGEST) return undefined;
  let characters = MOST_TRIED + TIMES_TRIED * text.length;
  let tries = MOST_TRIES;
  const counted = (tried: string): boolean => {
    characters -= tried.length;
    tries -= 1;
    if (characters < 0 || tries < 0) throw new TooMuch();
    return reads(tried);
  };
  try {
    return withoutParts(withoutConflicts(text.split('\n')), { reads: counted, ...how });
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

function withoutParts(lines: readonly string[], reading: Reading): string | undefined {
  // Empty lines and comments are nothing to a grammar, there may be many, and they stand as far in as they like.
  const isNothing = (line: string): boolean => {
    const code = line.trim();
    return (
      code === '' ||
      code.startsWith(reading.comment) ||
      (code.startsWith('/*') && code.indexOf('*/') === code.length - 2)
    );
  };
  const numbers = lines.flatMap((line, i) => (isNothing(line) ? [] : [i]));
  const rest = new Rest(
    numbers.map((i) => lines[i] ?? ''),
    reading,
  ).whole();
  if (!rest) return undefined;
  const kept = [...lines];
  for (const [at, i] of numbers.entries()) kept[i] = rest[at] ?? '';
  return kept.join('\n');
}

/** The lines of a source, of which more and more are taken out. */
class Rest {
  private taken = 0;

  constructor(
    private readonly lines: string[],
    private readonly reading: Reading,
  ) {}

  /** @returns as many lines; undefined where the grammar does not read what is left */
  whole(): readonly string[] | undefined {
    const all = { from: 0, to: this.lines.length };
    const frame = { before: [], after: [] };
    this.mendChildren(all, frame, childrenOf(this.lines, all, OUTERMOST));
    return this.isRead(all, frame) ? this.lines : undefined;
  }

  /** Mends a block that is not read in its frame. */
  private mend(block: Block, frame: Frame): void {
    const children = this.childrenOf(block);
    const [emptied, nothing] = [this.emptied(block), this.without(block)];
    if (children.length > 0) {
      this.mendChildren(block, frame, children);
      if (this.isRead(block, frame)) return;
      // What opens and closes it stays, and with that its name.
      this.put(block.from, emptied);
      if (this.isRead(block, frame)) return;
    }
    this.taken += 1;
    if (this.taken > MOST_TAKEN) throw new TooMuch();
    this.put(block.from, nothing);
  }

  private mendChildren(block: Block, frame: Frame, children: readonly Block[]): void {
    const own = outsideOf(children, block);
    const lines = (which: (line: number) => boolean): string[] => own.filter(which).map((i) => this.lines[i] ?? '');
    const around = ({ from, to }: Block): Frame => ({
      before: [...frame.before, ...lines((i) => i < from)],
      after: [...lines((i) => i >= to), ...frame.after],
    });
    const alone = children.map((child) => this.isRead(child, around(child)));
    if (own.length === 0 || children.length === 1 || alone.includes(true)) {
      this.mendSome(children, alone, around);
      return;
    }
    // What is around them is not read with any of them: it needs them all, or is broken itself.
    for (const child of children) {
      const siblings = {
        before: [...frame.before, ...this.lines.slice(block.from, child.from)],
        after: [...this.lines.slice(child.to, block.to), ...frame.after],
      };
      if (!this.reads(siblings, this.without(child))) continue;
      this.mend(child, siblings);
      return;
    }
  }

  /** @param alone whether each is read by itself: `else:` is not, nor is the first line of a text of several lines */
  private mendSome(children: readonly Block[], alone: readonly boolean[], around: (child: Block) => Frame): void {
    /** What was read last, and stands before the next one. */
    let last: Block | undefined;
    for (let i = 0; i < children.length; i++) {
      const child = children[i];
      if (!child) break;
      const frame = around(child);
      if (alone[i]) {
        last = child;
        continue;
      }
      if (this.reads(frame, this.emptied(child))) {
        this.mend(child, frame);
        last = child;
        continue;
      }
      const joined = last && { from: last.from, to: child.to };
      if (joined && this.isRead(joined, around(joined))) {
        last = joined;
        continue;
      }
      const end = this.endOf(children, i, around);
      if (end !== undefined) {
        last = { from: child.from, to: children[end]?.to ?? child.to };
        i = end;
        continue;
      }
      const behind = last && { ...frame, before: [...frame.before, ...this.linesOf(last)] };
      const goesOn = behind !== undefined && this.reads(behind, this.emptied(child));
      this.mend(child, goesOn ? behind : frame);
      last = goesOn ? joined : child;
    }
  }

  /** Which of the children ends what this one begins, as a decorator or a text; undefined where none does. */
  private endOf(children: readonly Block[], begin: number, around: (child: Block) => Frame): number | undefined {
    const first = children[begin] ?? { from: 0, to: 0 };
    const begins = BEGINS_TEXT.exec(this.linesOf(first).join('\n'))?.[0];
    const ends = begins && (ENDS_TEXT.get(begins) ?? begins);
    let tried = 0;
    for (let end = begin + 1; end < children.length && tried < MOST_JOINED; end++) {
      const child = children[end] ?? first;
      if (end > begin + 1 && !(ends && this.linesOf(child).some((line) => line.includes(ends)))) continue;
      tried += 1;
      const joined = { from: first.from, to: child.to };
      if (this.isRead(joined, around(joined))) return end;
    }
    return undefined;
  }

  private isRead(block: Block, frame: Frame): boolean {
    return this.reads(frame, this.linesOf(block));
  }

  private reads({ before, after }: Frame, lines: readonly string[]): boolean {
    const all = [...before, ...lines, ...after];
    return this.reading.reads(`${all.filter((line) => line.trim() !== '').join('\n')}\n`);
  }

  private linesOf({ from, to }: Block): string[] {
    return this.lines.slice(from, to);
  }

  private childrenOf(block: Block): readonly Block[] {
    return childrenOf(this.lines, block, indentationOf(this.lines[block.from] ?? ''));
  }

  private put(at: number, lines: readonly string[]): void {
    for (const [i, line] of lines.entries()) this.lines[at + i] = line;
  }

  /** The lines of a block with nothing in it. */
  private emptied(block: Block): readonly string[] {
    const lines = this.linesOf(block);
    for (const child of this.childrenOf(block)) {
      for (const [i, line] of this.without(child).entries()) lines[child.from - block.from + i] = line;
    }
    return lines;
  }

  /** What stands in place of a block that is taken out. */
  private without(block: Block): readonly string[] {
    const lines = this.linesOf(block);
    const first = this.reading.indented ? lines.findIndex((line) => line.trim() !== '') : -1;
    return lines.map((line, i) =>
      i === first ? line.replace(/\S[^\r\n]*/, (rest) => `0${blank(rest.slice(1))}`) : blank(line),
    );
  }
}

/** As if it was the indentation of what is around the outermost lines. */
const OUTERMOST = -1;

/** -1 for an empty line. */
function indentationOf(line: string): number {
  return line.search(/\S/);
}

/** The numbers of the lines that stand in none of the children, which are in order. */
function outsideOf(children: readonly Block[], { from, to }: Block): readonly number[] {
  const outside: number[] = [];
  let line = from;
  // Behind the last one, too.
  for (const child of [...children, { from: to, to }]) {
    for (; line < child.from; line++) outside.push(line);
    line = child.to;
  }
  return outside;
}

/**
 * What stands further in than a block's first line, by what begins at the least indentation of each stretch: with all that
 * stands further in below it, and what closes it.
 * @param outer the indentation of that first line
 */
function childrenOf(lines: readonly string[], { from, to }: Block, outer: number): readonly Block[] {
  const children: Block[] = [];
  let starts: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  const end = (until: number): void => {
    for (const [i, start] of starts.entries()) children.push({ from: start, to: starts[i + 1] ?? until });
    starts = [];
    least = Number.POSITIVE_INFINITY;
  };
  for (let i = outer === OUTERMOST ? from : from + 1; i < to; i++) {
    const line = lines[i] ?? '';
    const indentation = indentationOf(line);
    if (indentation < 0) continue;
    if (indentation <= outer) end(i);
    else if (starts.length === 0) {
      starts = [i];
      least = indentation;
    } else if (!CLOSES.test(line)) {
      // What stood further in until now is the first of them.
      if (indentation < least) starts = [...starts.slice(0, 1), i];
      else if (indentation === least) starts.push(i);
      least = Math.min(least, indentation);
    }
  }
  end(to);
  return children;
}
