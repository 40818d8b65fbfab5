/** Time: how it is read, printed and compared. */
import { invalidInput, unavailable } from './errors';
import { parameter as named, phrase } from './phrase';
import { quoted } from './text';

/** Time comes from the handle, never from globals, so that tests run on a fixed clock. Milliseconds since the epoch. */
export type Clock = () => number;

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/**
 * ISO-8601 UTC with milliseconds: 24 characters that sort as text in the order of time. A clock that is set before the
 * year 0 or behind the year 9999 counts as the nearest time that has this form.
 * @throws SvcError unavailable for a clock that tells no time at all
 */
export function timestamp(ms: number): string {
  if (Number.isNaN(ms))
    throw unavailable('The clock of this machine does not give a valid time', 'Set it, then try again');
  return new Date(Math.min(Math.max(ms, EARLIEST), LATEST)).toISOString();
}

// Calendar dates, ordinal dates (2026-090) and week dates (2026-W14-2), in the extended and in the basic format.
const DAY = String.raw`(\d{4})(?:(-?)(\d{2})\2(\d{2})|-?(\d{3})|-?W(\d{2})-?([1-7]))`;
const TIME = String.raw`(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?`;
const ZONE = String.raw`Z|[+-]\d{2}(?::?\d{2})?`;
const DATE = new RegExp(`^${DAY}$`, 'i');
const DATE_TIME = new RegExp(`^${DAY}[T ]${TIME}\\s*(${ZONE})?$`, 'i');

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
    const start = startOfDay(date);
    if (start !== undefined) return timestamp(boundary === 'start' ? start : start + DAY_MS - 1);
  }
  const full = DATE_TIME.exec(trimmed);
  if (full) {
    const [hour = '', minute = '0', second = '0', fraction = '0', zone = 'Z'] = full.slice(8);
    const start = startOfDay(full);
    const time = timeOfDay(Number(hour), Number(minute), Number(second), Math.floor(Number(`0.${fraction}`) * 1000));
    const offset = offsetMinutes(zone);
    if (start !== undefined && time !== undefined && offset !== undefined) {
      const at = start + time - offset * MINUTE_MS;
      if (at >= EARLIEST && at <= LATEST) return timestamp(at);
    }
  }
  throw invalidInput(
    phrase`${named(parameter)} is ${quoted(text)}, which is not an ISO-8601 date or date-time`,
    'Write it like 2026-03-31 or 2026-03-31T09:30:00Z.',
  );
}

// Years outside 0000–9999 have another text form, which would not sort.
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** @returns undefined for a day that the calendar does not have */
function startOfDay([, year, , month, day, ordinal, week, weekday]: readonly string[]): number | undefined {
  const y = Number(year);
  if (month !== undefined) {
    const date = utcDay(y, Number(month) - 1, Number(day));
    // 31 February rolls over instead of failing
    return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date.getTime() : undefined;
  }
  if (ordinal !== undefined) {
    const date = utcDay(y, 0, Number(ordinal));
    return date.getUTCFullYear() === y ? date.getTime() : undefined;
  }
  // The first week is the one with the 4th of January, and a week belongs to the year of its Thursday.
  const fourth = utcDay(y, 0, 4);
  const monday = fourth.getTime() + (7 * (Number(week) - 1) - ((fourth.getUTCDay() + 6) % 7)) * DAY_MS;
  if (new Date(monday + 3 * DAY_MS).getUTCFullYear() !== y) return undefined;
  const at = monday + (Number(weekday) - 1) * DAY_MS;
  return at >= EARLIEST && at <= LATEST ? at : undefined;
}

/** Not Date.UTC, which takes the years 0 to 99 for those of the twentieth century. */
function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

function timeOfDay(hour: number, minute: number, second: number, ms: number): number | undefined {
  const time = hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + ms;
  // 24:00 is the end of the day.
  return minute > 59 || second > 59 || time > DAY_MS ? undefined : time;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}
