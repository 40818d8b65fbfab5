/** Cuts a document into sections. */
import { parse as parseYaml } from 'yaml';
import { cut, oneLine } from '../base/text';
import { hashOfLines, MAX_LINE_LENGTH } from '../graph/section-hash';
import { type Block, blocksOf } from './blocks';

/** A piece of a document that speaks of one thing: what stands between a heading and the next. */
export interface Section {
  /** With the headings above it, joined by ` › `; the document's title first. */
  readonly heading: string;
  /** Its Markdown, heading included, as it is written. */
  readonly text: string;
  /** Counted from 1. */
  readonly start_line: number;
  readonly end_line: number;
  /** Of its lines without what ends them. */
  readonly hash: string;
  /** What stands in backticks, in its order. */
  readonly code: readonly string[];
  /** Where its links lead to, as they are written. */
  readonly links: readonly string[];
}

/** In characters: some 1,500 tokens. A longer section is cut between its blocks. */
const MAX_SECTION_LENGTH = 6_000;
/** The longest documents that people write have some 2,000. */
export const MAX_SECTIONS = 5_000;
const MAX_HEADING_LENGTH = 120;
const SEPARATOR = ' › ';

/** YAML or TOML between two marks, at the very beginning. */
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\n([\s\S]*?\n)?\1[ \t]*(?:\n|$)/;

/** A run of blocks with the heading that it stands under. */
interface Run {
  readonly path: readonly string[];
  readonly blocks: Block[];
}

/** Takes a document apart. Only headings of the document itself divide it: not those in quotes, lists or code. */
export function sectionsOf(text: string, name: string): Section[] {
  const front = FRONT_MATTER.exec(text);
  // Blank lines in its place, so that lines keep their numbers.
  const body = front ? front[0].replace(/[^\n]/g, '') + text.slice(front[0].length) : text;
  const lines = body.split('\n').map((line) => line.slice(0, MAX_LINE_LENGTH));
  let title = (front?.[1] === '---' ? titleOf(front[2] ?? '') : undefined) ?? name;
  let titled = false;
  const runs: Run[] = [{ path: [title], blocks: [] }];
  const open: { depth: number; words: string }[] = [];
  for (const block of blocksOf(lines.join('\n'))) {
    if (block.depth > 0) {
      const words = cut(oneLine(block.words), MAX_HEADING_LENGTH);
      while ((open.at(-1)?.depth ?? 0) >= block.depth) open.pop();
      open.push({ depth: block.depth, words });
      // The first heading of a document is its title, when nothing else is.
      if (block.depth === 1 && title === name && runs.length === 1) {
        title = words;
        titled = true;
      }
      const above = open.map((one) => one.words).filter((one) => one !== '');
      // Another heading of the first level is a title of its own.
      const whole = above[0] === title || (titled && open[0]?.depth === 1 && above.length > 0);
      runs.push({ path: whole ? above : [title, ...above], blocks: [] });
    }
    runs.at(-1)?.blocks.push(block);
  }
  return runs.flatMap((run) => split(run, lines));
}

/** A section for each stretch of blocks that is short enough; none for a heading with nothing to say under it. */
function split({ path, blocks }: Run, lines: readonly string[]): Section[] {
  const parts: Block[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    const size = sizeOf(block, lines);
    if (length + size > MAX_SECTION_LENGTH) {
      parts.push([]);
      length = 0;
    }
    length += size;
    parts.at(-1)?.push(block);
  }
  return parts.flatMap((part) => {
    const code = part.flatMap((block) => block.code);
    const start = part[0]?.lines[0];
    const end = part.at(-1)?.lines[1];
    const onlyHeading = !part.some((block) => block.speaks);
    if (start === undefined || end === undefined || (onlyHeading && code.length === 0)) return [];
    const own = lines.slice(start, withoutBlank(lines, end));
    return [
      {
        heading: path.join(SEPARATOR),
        text: cut(own.join('\n'), MAX_SECTION_LENGTH * 2),
        ...{ start_line: start + 1, end_line: start + own.length, hash: hashOfLines(own), code },
        links: part.flatMap((block) => block.links),
      },
    ];
  });
}

/** In characters, the ends of lines between its own included. */
function sizeOf({ lines: [start, end] }: Block, lines: readonly string[]): number {
  return lines.slice(start, withoutBlank(lines, end)).reduce((sum, line) => sum + line.length + 1, -1);
}

/** @param end where a block ends, which may have taken blank lines behind it along */
function withoutBlank(lines: readonly string[], end: number): number {
  let last = end;
  while (last > 0 && lines[last - 1]?.trim() === '') last -= 1;
  return last;
}

function titleOf(frontMatter: string): string | undefined {
  try {
    // A document may bring anything: aliases, which can grow without bound, are refused.
    const value: unknown = parseYaml(frontMatter, { maxAliasCount: 0, logLevel: 'silent' });
    const title = typeof value === 'object' && value !== null && 'title' in value ? value.title : undefined;
    return typeof title === 'string' && oneLine(title) !== '' ? cut(oneLine(title), MAX_HEADING_LENGTH) : undefined;
  } catch {
    return undefined;
  }
}
