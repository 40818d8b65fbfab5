/** Packs memories into a budget of tokens. */
import type { NodeKind } from '../../kinds/kinds';
import { cut, oneLine } from '../base/text';
import type { Matched, Reason } from '../memory/recall/recall';
import { linePrefix, nodeLine, type PrintedNode } from './line';
import {
  type Head,
  type More,
  type PackedMemories,
  type PackedMemory,
  PROVENANCE,
  printHead,
  printMemories,
  printMore,
  printProvenance,
  printSections,
  printSource,
  sectionTitle,
} from './packed-memories';
import type { TokenCounter } from './tokens';

/** An item to be packed; best first. */
export interface PackableNode extends PrintedNode {
  /** Below 0 for what is in another store. */
  readonly seq: number;
  readonly recorded_at: string;
  readonly session_id: string | null;
  readonly reasons?: readonly Reason[];
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
  /** The size of a line, which is cut where it is longer; without it only the best one is cut. */
  readonly line?: number | undefined;
  readonly items: readonly PackableNode[];
  /** How many match by themselves, among the items or not. */
  readonly matched?: Matched | undefined;
  /** The sentence that stands below the heading where there is no item. */
  readonly nothing: string;
  /** A line below the heading, where it leaves two thirds of the budget. */
  readonly notice?: string | undefined;
}

export interface Packed {
  readonly packed: PackedMemories;
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

/**
 * Packs items into a token budget: best first up to nine tenths, the rest for where they come from. An item too long
 * for what is left is passed over; only the best one is cut, but where lines have a size of their own.
 *
 * Sizes add up exactly, because no token of o200k_base reaches across a line break that is followed by `-` or `#`:
 * so lines are measured one by one, once in their life, and the sum is the size of the whole text.
 */
export function pack(tokens: TokenCounter, input: PackInput): Packed {
  const result = packOnce(tokens, input);
  if (tokens.count(printMemories(result.packed)) === result.packed.used) return result;
  // A kept size was wrong, as when somebody edited the store by hand. That is no reason to break the promise.
  return packOnce(tokens, { ...input, items: input.items.map((item) => ({ ...item, tokens: null })) });
}

function packOnce(tokens: TokenCounter, input: PackInput): Packed {
  const { items } = input;
  const limit = input.limit ?? input.budget;
  const room = Math.floor(limit * ITEMS_SHARE);
  const head: Head = {
    ...{ query: fittingQuery(tokens, input), as_of: input.asOf, budget: input.budget },
    ...fittingNotice(tokens, input),
  };
  const headSize = tokens.count(printHead(head, items.length, input.budget));
  const measured: (PrintedRow & { size: number })[] = [];
  const kinds = new Set<NodeKind>();
  const printed: PrintedRow[] = [];
  const packed: PackedMemory[] = [];
  let used = headSize;

  for (const item of items) {
    const section = kinds.has(item.kind) ? 0 : tokens.count(sectionTitle(item.kind));
    const left = room - used - section;
    if (left < MIN_LINE_TOKENS) break;
    // What a line says of its memory comes and goes: its size is kept without.
    const marked = (item.marks ?? []).length > 0;
    let size = marked ? null : item.tokens;
    if (size === null) {
      const line = nodeLine(item);
      // A very long text is not worth measuring only to learn that it does not fit.
      const hopeless = line.length > LONG_LINE && !tokens.fits(line, left);
      size = hopeless ? Number.POSITIVE_INFINITY : tokens.count(line);
      if (!hopeless && !marked) measured.push({ seq: item.seq, id: item.id, size });
    }
    let shortened: string | undefined;
    const most = Math.min(left, input.line ?? left);
    if (size > most) {
      const isBest = printed.length === 0 && item === items[0];
      // What is left may be less than a whole line.
      if (!isBest && (input.line === undefined || left < input.line)) continue;
      shortened = cutContent(tokens, item, most, limit >= BEST_HIT_FROM ? 1 : MIN_CUT_TOKENS);
      if (shortened === undefined) continue;
      size = tokens.count(`${linePrefix(item)}${shortened}\n`);
    }
    kinds.add(item.kind);
    printed.push({ seq: item.seq, id: item.id });
    packed.push(packedMemory(item, size, shortened));
    used += size + section;
  }

  const more = fittingMore(tokens, input, packed, limit - used);
  const rest = Math.min(Math.floor(limit * (1 - ITEMS_SHARE)), limit - used);
  const sources = fittingSources(tokens, packed, more, rest);
  let bodySize = used - headSize + sources.size;
  let note: string | undefined;
  if (packed.length === 0) {
    const sentence = items.length > 0 ? 'What matches does not fit; raise budget_tokens.' : input.nothing;
    const size = tokens.count(sentence);
    if (headSize + size <= limit) {
      note = sentence;
      bodySize = size;
    }
  } else if (sources.size === 0) {
    // The text ends without a line break: the last line is measured as it is printed.
    const last = printSections(packed).trimEnd().split('\n').at(-1) ?? '';
    bodySize += tokens.count(last) - tokens.count(`${last}\n`);
  }
  const isEmpty = packed.length === 0 && note === undefined;
  const whole = withTrueSize(tokens, bodySize, isEmpty, (size) => printHead(head, packed.length, size));
  return {
    packed: {
      ...{ ...head, used: whole, ...(note === undefined ? {} : { note }), items: packed, sources: sources.count },
      ...(more === undefined ? {} : { more }),
    },
    printed,
    measured,
  };
}

function packedMemory(item: PackableNode, tokens: number, shortened: string | undefined): PackedMemory {
  const { id, kind, content, confidence, recorded_at, valid_from, session_id, marks, newer, reasons } = item;
  return {
    ...{ id, kind, content, confidence, recorded_at, valid_from, session_id, tokens },
    ...(marks === undefined ? {} : { marks }),
    ...(newer === undefined ? {} : { newer }),
    ...(reasons === undefined ? {} : { reasons }),
    ...(shortened === undefined ? {} : { cut: shortened }),
    ...(item.seq < 0 ? { elsewhere: true as const } : {}),
  };
}

/** Below this nothing worth reading fits behind a line's prefix. */
const MIN_LINE_TOKENS = 24;
const MIN_CUT_TOKENS = 8;
/** In UTF-16 units. */
const LONG_LINE = 20_000;

function fittingNotice(tokens: TokenCounter, { notice, limit, budget }: PackInput): Pick<Head, 'notice'> {
  const fits = notice !== undefined && tokens.count(`${notice}\n`) <= (limit ?? budget) / 3;
  return fits ? { notice } : {};
}

/** The query on one line, cut at 80 characters and so that the heading takes at most a third of the budget. */
function fittingQuery(tokens: TokenCounter, { query, asOf, budget, limit, items }: PackInput): string {
  const whole = oneLine(query.slice(0, MAX_QUERY_LENGTH * 4)).replaceAll('"', "'");
  let length = Math.min(MAX_QUERY_LENGTH, whole.length);
  for (;;) {
    const shown = length === 0 ? '' : cut(whole, length);
    const size = tokens.count(printHead({ query: shown, as_of: asOf, budget }, items.length, budget));
    if (length === 0 || size <= (limit ?? budget) / 3) return shown;
    length = Math.floor(length * 0.75);
  }
}

/** As much of the content as fits on its line, ended by `…`; undefined when less than `minimum` tokens would. */
function cutContent(tokens: TokenCounter, item: PackableNode, room: number, minimum: number): string | undefined {
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
  return tokens.fits(`${prefix}${text}\n`, room) ? text : cut(content, low - 1);
}

/** No token of o200k_base is longer (a run of 128 spaces). */
const MAX_TOKEN_LENGTH = 128;

/** What matches by itself and has no line; undefined where that is nothing, or where there is no room to say it. */
function fittingMore(
  tokens: TokenCounter,
  { matched }: PackInput,
  packed: readonly PackedMemory[],
  room: number,
): More | undefined {
  if (!matched || packed.length === 0) return undefined;
  const shown = packed.filter(({ reasons = [] }) => reasons.includes('words')).length;
  const more = { count: matched.count - shown, isLeast: matched.isLeast };
  return more.count > 0 && tokens.count(printProvenance([], more)) <= room ? more : undefined;
}

/** For how many of the items with a session there is room to name it, in order of score, and how large all of that is. */
function fittingSources(
  tokens: TokenCounter,
  items: readonly PackedMemory[],
  more: More | undefined,
  room: number,
): { readonly count: number; readonly size: number } {
  const from = items.filter(({ session_id }) => session_id !== null);
  const sizeOf = (count: number): number => tokens.count(printProvenance(from.slice(0, count), more));
  // No token reaches across the space before an entry, so that sizes add up here.
  let size = tokens.count(PROVENANCE) + (more === undefined ? 0 : tokens.count(`\n${printMore(more)}`));
  let count = 0;
  for (const item of from) {
    size += tokens.count(printSource(item, count));
    if (size > room) break;
    count += 1;
  }
  while (count > 0 && sizeOf(count) > room) count -= 1;
  return { count, size: sizeOf(count) };
}

/** The size is printed in the text whose size it is: with more digits the text may grow. */
function withTrueSize(
  tokens: TokenCounter,
  bodySize: number,
  isEmpty: boolean,
  headFor: (size: number) => string,
): number {
  let size = bodySize;
  for (let tries = 0; tries < 4; tries++) {
    const head = headFor(size);
    const counted = bodySize + tokens.count(isEmpty ? head.trimEnd() : head);
    if (counted === size) break;
    size = counted;
  }
  return size;
}
