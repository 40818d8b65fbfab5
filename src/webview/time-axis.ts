/** The arithmetic of the time axis. */
import type { TimeRange } from './state';

/** Everything about time on a line of pixels that needs no drawing. All of it in UTC, as memories are dated. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365.25 * DAY;
/** Nearer than this there is nothing more to tell apart. */
const SHORTEST = MINUTE;
const LONGEST = 500 * YEAR;

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** What is shown when everything is: a little room at both ends, and an hour at least. */
export function wholeRange(first: number, last: number): TimeRange {
  const half = Math.max(last - first, HOUR) * 0.53;
  const middle = (first + last) / 2;
  return { from: middle - half, to: middle + half };
}

/** Pixels from the left. */
export function position({ from, to }: TimeRange, width: number, at: number): number {
  return ((at - from) / (to - from)) * width;
}

/** The moment under a pixel. */
export function momentAt({ from, to }: TimeRange, width: number, x: number): number {
  return from + (x / Math.max(width, 1)) * (to - from);
}

/** @param factor below 1 looks closer; the moment `around` stays where it is */
export function zoomed({ from, to }: TimeRange, factor: number, around = (from + to) / 2): TimeRange {
  const span = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * factor));
  const share = (around - from) / (to - from);
  const start = around - span * share;
  return { from: start, to: start + span };
}

/** @param share of the range's own length; below 0 goes to the past */
export function moved({ from, to }: TimeRange, share: number): TimeRange {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}

type Unit = 'minute' | 'hour' | 'day' | 'month' | 'year';

const STEPS: readonly (readonly [Unit, number, number])[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => ['minute', n, n * MINUTE] as const),
  ...[1, 2, 3, 6, 12].map((n) => ['hour', n, n * HOUR] as const),
  ...[1, 2, 7, 14].map((n) => ['day', n, n * DAY] as const),
  ...[1, 2, 3, 6].map((n) => ['month', n, n * 30.4 * DAY] as const),
  ...[1, 2, 5, 10, 20, 50, 100].map((n) => ['year', n, n * YEAR] as const),
];

const LABEL_WIDTH = 90;

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const DATE: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };

interface Format {
  readonly brief: Intl.DateTimeFormatOptions;
  /** Said where it begins to hold. Beside an hour a year has no room. */
  readonly more?: Intl.DateTimeFormatOptions;
  /** It holds for as long as this many characters of the timestamp stay the same. */
  readonly holds: number;
}

const YEAR_AT = 4;
const DAY_AT = 10;
const OF_DAY: Format = { brief: TIME, more: DATE, holds: DAY_AT };

const FORMATS: Readonly<Record<Unit, Format>> = {
  minute: OF_DAY,
  hour: OF_DAY,
  day: { brief: DATE, more: { year: 'numeric' }, holds: YEAR_AT },
  month: { brief: { month: 'short', year: 'numeric' }, holds: YEAR_AT },
  year: { brief: { year: 'numeric' }, holds: YEAR_AT },
};

/** Round moments, as many as have room for their labels. */
export function ticks(range: TimeRange, width: number, language: string): Tick[] {
  const room = Math.max(1, Math.floor(width / LABEL_WIDTH));
  const least = (range.to - range.from) / room;
  const [unit, count] = STEPS.find(([, , ms]) => ms >= least) ?? ['year', 100];
  const { brief, more, holds } = FORMATS[unit];
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', hourCycle: 'h23' });
  const [short, full] = [format(brief), format({ ...more, ...brief })];
  const found: Tick[] = [];
  let held: string | undefined;
  for (let at = roundUp(range.from, unit, count); at <= range.to; at = next(at, unit, count)) {
    const holding = new Date(at).toISOString().slice(0, holds);
    found.push({ at, label: (holding === held ? short : full).format(at) });
    held = holding;
  }
  return found;
}

const FIXED: Partial<Record<Unit, number>> = { minute: MINUTE, hour: HOUR, day: DAY };

function roundUp(at: number, unit: Unit, count: number): number {
  const fixed = FIXED[unit];
  if (fixed !== undefined) return Math.ceil(at / (fixed * count)) * fixed * count;
  const date = new Date(at);
  const months = unit === 'year' ? 12 * count : count;
  const index = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const floor = monthStart(Math.floor(index / months) * months);
  return floor >= at ? floor : monthStart((Math.floor(index / months) + 1) * months);
}

function next(at: number, unit: Unit, count: number): number {
  const fixed = FIXED[unit];
  if (fixed !== undefined) return at + fixed * count;
  const date = new Date(at);
  return monthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + (unit === 'year' ? 12 * count : count));
}

function monthStart(months: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(months / 12), months - Math.floor(months / 12) * 12, 1);
  return date.getTime();
}

/**
 * Rows for marks that would cover each other: each goes into the first row whose last mark ends before it, and into the
 * last row where all are taken.
 * @param xs from left to right
 */
export function stacked(xs: readonly number[], size: number, rows: number): number[] {
  const ends: number[] = new Array(rows).fill(Number.NEGATIVE_INFINITY);
  return xs.map((x) => {
    const free = ends.findIndex((end) => end + size <= x);
    const row = free < 0 ? rows - 1 : free;
    ends[row] = x;
    return row;
  });
}

/**
 * How many marks of the last row lie below others there, for each that lies on top of its pile.
 * @param stackedRows of `stacked`, with the same marks, size and rows
 */
export function piles(xs: readonly number[], size: number, rows: number, stackedRows: readonly number[]): number[] {
  const last = xs.flatMap((x, i) => (stackedRows[i] === rows - 1 ? [{ x, i }] : []));
  const below = xs.map(() => 0);
  let pile = 0;
  for (const [n, { x, i }] of last.entries()) {
    const next = last[n + 1];
    if (next && next.x < x + size) pile += 1;
    else {
      below[i] = pile;
      pile = 0;
    }
  }
  return below;
}
