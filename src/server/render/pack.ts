/** Packs memories into a budget of tokens. */
import { KINDS, type NodeKind, SECTION_ORDER } from '../../kinds/kinds';
import { shownDay, shownId } from '../base/shown';
import { cut, oneLine } from '../base/text';
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
  /** A line below the heading, where it leaves two thirds of the budget. */
  readonly notice?: string | undefined;
}

export interface Packed {
  readonly text: string;
  readonly printed: readonly PrintedRow[];
  /** Lines that were measured just now. */
  readonly measured: readonly (PrintedRow & { readonly size: number })[];
}

/** A row is told by its number and its id: after a purge a number may be given out again. */
export interface PrintedRow {
  readonly seq: number;
  readonly id: string;
}

const MAX_QUERY_LENGTH = 80;
const ITEMS_SHARE = 0.9;
/** From this budget on the best hit is always there, cut if need be. */
const BEST_HIT_FROM = 120;

const SECTION = new Map(SECTION_ORDER.map((kind) => [kind, `### ${KINDS[kind].heading}\n`]));
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
  if (tokens.count(packed.text) === packed.size) return packed;
  // A kept size was wrong, as when somebody edited the store by hand. That is no reason to break the promise.
  return packOnce(tokens, { ...input, items: input.items.map((item) => ({ ...item, tokens: null })) });
}

function packOnce(tokens: TokenCounter, input: PackInput): Packed & Sized {
  const { items } = input;
  const budget = input.limit ?? input.budget;
  const room = Math.floor(budget * ITEMS_SHARE);
  const query = fittingQuery(tokens, input);
  const notice = fittingNotice(tokens, input);
  const head = (count: number, size: number): string => heading(query, input, count, size) + notice;
  const headingSize = tokens.count(head(items.length, input.budget));
  const measured: (PrintedRow & { size: number })[] = [];
  const lines = new Map<NodeKind, string[]>();
  const printed: PackableNode[] = [];
  let used = headingSize;

  for (const item of items) {
    const section = lines.has(item.kind) ? 0 : tokens.count(SECTION.get(item.kind) ?? '');
    const left = room - used - section;
    if (left < MIN_LINE_TOKENS) break;
    // What a line says of its memory comes and goes: its size is kept without.
    const marked = (item.marks ?? []).length > 0;
    let size = marked ? null : item.tokens;
    let line: string | undefined;
    if (size === null) {
      line = nodeLine(item);
      // A very long text is not worth measuring only to learn that it does not fit.
      const hopeless = line.length > LONG_LINE && !tokens.fits(line, left);
      size = hopeless ? Number.POSITIVE_INFINITY : tokens.count(line);
      if (!hopeless && !marked) measured.push({ seq: item.seq, id: item.id, size });
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

  const sections = [...SECTION].map(([kind, title]) =>
    lines.has(kind) ? title + (lines.get(kind) ?? []).join('') : '',
  );
  const sources = provenance(tokens, printed, Math.min(Math.floor(budget * (1 - ITEMS_SHARE)), budget - used));
  let body: Sized = { text: sections.join('') + sources.text, size: used - headingSize + sources.size };
  if (printed.length === 0) {
    const sentence = items.length > 0 ? 'What matches does not fit; raise budget_tokens.' : input.nothing;
    const size = tokens.count(sentence);
    body = headingSize + size <= budget ? { text: sentence, size } : { text: '', size: 0 };
  } else if (sources.text === '') {
    // The text ends without a line break: the last line is measured as it is printed.
    const last =
      sections
        .filter((section) => section !== '')
        .at(-1)
        ?.trimEnd()
        .split('\n')
        .at(-1) ?? '';
    body = { text: body.text.trimEnd(), size: body.size - tokens.count(`${last}\n`) + tokens.count(last) };
  }
  return {
    ...withTrueSize(tokens, body, (size) => head(printed.length, size)),
    printed: printed.map(({ seq, id }) => ({ seq, id })),
    measured,
  };
}

/** Below this nothing worth reading fits behind a line's prefix. */
const MIN_LINE_TOKENS = 24;
const MIN_CUT_TOKENS = 8;
/** In UTF-16 units. */
const LONG_LINE = 20_000;

function heading(query: string, { asOf, budget }: PackInput, items: number, used: number): string {
  return `## Memory recall: "${query}" (as of ${shownDay(asOf)} · ${items} items · ${used}/${budget} tokens)\n`;
}

function fittingNotice(tokens: TokenCounter, { notice, limit, budget }: PackInput): string {
  const line = notice === undefined ? '' : `${notice}\n`;
  return line !== '' && tokens.count(line) <= (limit ?? budget) / 3 ? line : '';
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

interface Sized {
  readonly text: string;
  readonly size: number;
}

/** `<node_id> ← session <session_id>` for each packed item, in order of score, as far as the room goes. */
function provenance(tokens: TokenCounter, items: readonly PackableNode[], room: number): Sized {
  const entries: string[] = [];
  let size = tokens.count(PROVENANCE);
  for (const { id, session_id } of items) {
    if (session_id === null) continue;
    // No token reaches across the space before an entry, so that sizes add up here, too.
    const entry = `${entries.length === 0 ? '' : ' · '}${shownId(id)} ← session ${shownId(session_id)}`;
    const longer = size + tokens.count(entry);
    if (longer > room) break;
    size = longer;
    entries.push(entry);
  }
  return entries.length === 0 ? { text: '', size: 0 } : { text: `${PROVENANCE}${entries.join('')}`, size };
}

/** The size is printed in the text whose size it is: with more digits the text may grow. */
function withTrueSize(tokens: TokenCounter, body: Sized, headingFor: (size: number) => string): Sized {
  let size = body.size;
  for (let tries = 0; tries < 4; tries++) {
    const heading = headingFor(size);
    const counted = body.size + tokens.count(body.text === '' ? heading.trimEnd() : heading);
    if (counted === size) break;
    size = counted;
  }
  return { text: (headingFor(size) + body.text).trimEnd(), size };
}
