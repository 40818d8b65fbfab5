import { invalidInput } from './errors';
import { quoted } from './text';

/** Time comes from the handle, never from globals, so that tests run on a fixed clock. Milliseconds since the epoch. */
export type Clock = () => number;

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** ISO-8601 UTC with milliseconds: 24 characters that sort as text in the order of time. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;

/** Which instant of the day a bare date stands for: its start, or its end for `as_of`. */
export type DayBoundary = 'start' | 'end';

/**
 * Reads any ISO-8601 date or date-time; without an offset it is UTC. Returns our own 24-character form.
 * @throws SvcError invalid_input that names the parameter
 */
export function parseTimestamp(text: string, parameter: string, boundary: DayBoundary = 'start'): string {
  const trimmed = text.trim();
  const date = DATE.exec(trimmed);
  if (date) {
    const start = utc(date, 0, 0, 0, 0);
    if (start !== undefined) return timestamp(boundary === 'start' ? start : start + DAY_MS - 1);
  }
  const full = DATE_TIME.exec(trimmed);
  if (full) {
    const [, , , , hour = '', minute = '', second = '0', fraction = '0', zone = 'Z'] = full;
    const ms = Math.floor(Number(`0.${fraction}`) * 1000);
    const local = utc(full, Number(hour), Number(minute), Number(second), ms);
    const offset = offsetMinutes(zone);
    if (local !== undefined && offset !== undefined) {
      const at = local - offset * MINUTE_MS;
      if (at >= EARLIEST && at <= LATEST) return timestamp(at);
    }
  }
  throw invalidInput(
    `"${parameter}" is ${quoted(text)}, which is no ISO-8601 date or date-time`,
    'Write it like 2026-03-31 or 2026-03-31T09:30:00Z.',
  );
}

// Years outside 0000–9999 have another text form, which would not sort.
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function utc(parts: RegExpExecArray, hour: number, minute: number, second: number, ms: number): number | undefined {
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, ms);
  // 31 February rolls over instead of failing
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}
