import { cut, oneLine } from '../base/text';
import type { NodeKind } from '../memory/kinds';
import { linePrefix, nodeLine, type PrintedNode } from './line';
import type { TokenCounter } from './tokens';

/** An item to be packed; best first. */
export interface PackableNode extends PrintedNode {
  readonly seq: number;
  readonly session_id: string | null;
  /** Size of its line, when it was measured before. */
  readonly tokens: number | null;
}

export interface PackInput {
  /** What stands in quotes in the heading. */
  readonly query: string;
  /** In our own 24-character form. */
  readonly asOf: string;
  /** The budget that was asked for; printed in the heading. */
  readonly budget: number;
  /** The size not to be exceeded, where it is smaller than the budget. */
  readonly limit?: number;
  readonly items: readonly PackableNode[];
  /** The sentence that stands below the heading where there is no item. */
  readonly nothing: string;
}

export interface Packed {
  readonly text: string;
  readonly printed: readonly number[];
  /** Lines that were measured just now: [seq, tokens]. */
  readonly measured: readonly (readonly [number, number])[];
}

const MAX_QUERY_LENGTH = 80;
const ITEMS_SHARE = 0.9;
/** From this budget on the best hit is always there, cut if need be. */
const BEST_HIT_FROM = 120;

const SECTIONS: readonly (readonly [NodeKind, string])[] = [
  ['decision', '### Decisions\n'],
  ['fact', '### Facts\n'],
  ['procedure', '### Procedures\n'],
  ['preference', '### Preferences\n'],
  ['action', '### Actions\n'],
  ['outcome', '### Outcomes\n'],
  ['entity', '### Entities\n'],
  ['session', '### Sessions\n'],
];
const SECTION = new Map(SECTIONS);
const PROVENANCE = '### Provenance\n';

/**
 * Packs items into a token budget: best first up to nine tenths, the rest for where they come from. An item too long
 * for what is left is passed over; only the best one is cut.
 *
 * Sizes add up exactly, because no token of o200k_base reaches across a line break that is followed by `-` or `#`:
 * so lines are measured one by one, once in their life, and the sum is the size of the whole text.
 */
export function pack(tokens: TokenCounter, input: PackInput): Packed {
  const packed = packOnce(tokens, input);
  if (packed.size <= (input.limit ?? input.budget)) return packed;
  // A kept size was wrong. That is no reason to break the promise: measure everything anew.
  return packOnce(tokens, { ...input, items: input.items.map((item) => ({ ...item, tokens: null })) });
}

function packOnce(tokens: TokenCounter, input: PackInput): Packed & Sized {
  const { items } = input;
  const budget = input.limit ?? input.budget;
  const room = Math.floor(budget * ITEMS_SHARE);
  const query = fittingQuery(tokens, input);
  const headingSize = tokens.count(heading(query, input, items.length, input.budget));
  const measured: (readonly [number, number])[] = [];
  const lines = new Map<NodeKind, string[]>();
  const printed: PackableNode[] = [];
  let used = headingSize;

  for (const item of items) {
    const section = lines.has(item.kind) ? 0 : tokens.count(SECTION.get(item.kind) ?? '');
    const left = room - used - section;
    if (left < MIN_LINE_TOKENS) break;
    let size = item.tokens;
    let line: string | undefined;
    if (size === null) {
      line = nodeLine(item);
      // A very long text is not worth measuring only to learn that it does not fit.
      const hopeless = line.length > LONG_LINE && !tokens.fits(line, left);
      size = hopeless ? Number.POSITIVE_INFINITY : tokens.count(line);
      if (!hopeless) measured.push([item.seq, size]);
    }
    if (size > left) {
      if (printed.length > 0 || item !== items[0]) continue;
      const shortened = cutLine(tokens, item, left, budget >= BEST_HIT_FROM ? 1 : MIN_CUT_TOKENS);
      if (shortened === undefined) continue;
      line = shortened;
      size = tokens.count(line);
    }
    line ??= nodeLine(item);
    const group = lines.get(item.kind);
    if (group) group.push(line);
    else lines.set(item.kind, [line]);
    printed.push(item);
    used += size + section;
  }

  let body = SECTIONS.map(([kind, title]) => (lines.has(kind) ? title + (lines.get(kind) ?? []).join('') : '')).join(
    '',
  );
  const sources = provenance(tokens, printed, Math.min(Math.floor(budget * (1 - ITEMS_SHARE)), budget - used));
  body += sources;
  if (printed.length === 0) {
    const sentence = `${input.nothing}\n`;
    body = headingSize + tokens.count(sentence) <= budget ? sentence : '';
  }
  return {
    ...withTrueSize(tokens, body.trimEnd(), (size) => heading(query, input, printed.length, size)),
    printed: printed.map((item) => item.seq),
    measured,
  };
}

/** Below this nothing worth reading fits behind a line's prefix. */
const MIN_LINE_TOKENS = 24;
const MIN_CUT_TOKENS = 8;
/** In UTF-16 units. */
const LONG_LINE = 20_000;

function heading(query: string, { asOf, budget }: PackInput, items: number, used: number): string {
  return `## Memory recall: "${query}" (as of ${asOf.slice(0, 10)} · ${items} items · ${used}/${budget} tokens)\n`;
}

/** The query on one line, cut at 80 characters and so that the heading takes at most a third of the budget. */
function fittingQuery(tokens: TokenCounter, input: PackInput): string {
  const whole = oneLine(input.query.slice(0, MAX_QUERY_LENGTH * 4)).replaceAll('"', "'");
  let length = Math.min(MAX_QUERY_LENGTH, whole.length);
  for (;;) {
    const query = length === 0 ? '' : cut(whole, length);
    const size = tokens.count(heading(query, input, input.items.length, input.budget));
    if (length === 0 || size <= (input.limit ?? input.budget) / 3) return query;
    length = Math.floor(length * 0.75);
  }
}

/** The line with as much of its content as fits, ended by `…`; undefined when less than `minimum` tokens would. */
function cutLine(tokens: TokenCounter, item: PackableNode, room: number, minimum: number): string | undefined {
  const prefix = linePrefix(item);
  const content = oneLine(item.content.slice(0, room * MAX_TOKEN_LENGTH));
  let low = 0;
  let high = content.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokens.fits(`${prefix}${cut(content, middle)}\n`, room)) low = middle;
    else high = middle - 1;
  }
  if (low < 2 || tokens.count(cut(content, low)) < minimum) return undefined;
  const text = low === content.length ? `${content.trimEnd()}…` : cut(content, low);
  const line = `${prefix}${text}\n`;
  return tokens.fits(line, room) ? line : `${prefix}${cut(content, low - 1)}\n`;
}

/** No token of o200k_base is longer (a run of 128 spaces). */
const MAX_TOKEN_LENGTH = 128;

/** `<node_id> ← session <session_id>` for each packed item, in order of score, as far as the room goes. */
function provenance(tokens: TokenCounter, items: readonly PackableNode[], room: number): string {
  const entries: string[] = [];
  let size = tokens.count(PROVENANCE) + LINE_BREAK_TOKENS;
  for (const { id, session_id } of items) {
    if (session_id === null) continue;
    // No token reaches across the space before an entry, so that sizes add up here, too.
    const entry = `${entries.length === 0 ? '' : ' · '}${id} ← session ${session_id}`;
    size += tokens.count(entry);
    if (size > room) break;
    entries.push(entry);
  }
  return entries.length === 0 ? '' : `${PROVENANCE}${entries.join('')}\n`;
}

const LINE_BREAK_TOKENS = 1;

/**
 * The size is printed in the text whose size it is: with more digits the text may grow. The body begins with `#` or is
 * a sentence, so that no token reaches across from the heading.
 */
function withTrueSize(tokens: TokenCounter, body: string, headingFor: (size: number) => string): Sized {
  const bodySize = tokens.count(body);
  let size = bodySize;
  for (let tries = 0; tries < 4; tries++) {
    const heading = headingFor(size);
    const counted = bodySize + tokens.count(body === '' ? heading.trimEnd() : heading);
    if (counted === size) break;
    size = counted;
  }
  return { text: (headingFor(size) + body).trimEnd(), size };
}

interface Sized {
  readonly text: string;
  readonly size: number;
}
