/** Dates in a question. */
import { DAY_MS } from '../../base/clock';

/** A stretch of time named in a question; milliseconds, the end excluded. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';

const ISO_DAY = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
const ISO_MONTH = /\b(\d{4})-(\d{2})\b(?!-\d)/g;
const DAY_MONTH = new RegExp(`\\b${DAY}(?: of)? ${MONTH}\\b\\.?(?:,? (\\d{4}))?`, 'gi');
const MONTH_DAY = new RegExp(`\\b${MONTH}\\.? ${DAY}\\b(?!\\d)(?:,? (\\d{4}))?`, 'gi');
// "may" and "march" alone are verbs more often than months: they need a year or a preposition before them.
const MONTH_YEAR = new RegExp(`\\b${MONTH}\\.?,?(?: of)? (\\d{4})\\b`, 'gi');
const IN_MONTH = new RegExp(`\\b(?:in|during|since|last|this|early|mid|late|of)[ -]${MONTH}\\b(?!\\.?,? \\d)`, 'gi');
// Full names that are nothing else in English; and the two others with a capital letter inside a sentence.
const BARE_MONTH = /\b(january|february|april|june|july|august|september|october|november|december)\b(?!\.?,? \d)/gi;
const CAPITAL_MONTH = /(?<=\S )(March|May)\b(?!\.?,? \d)/g;
const YEAR = /\b(?:in|during|of|since) ((?:19|20)\d{2})\b/gi;
const RELATIVE = /\b(today|yesterday|this week|last week|this month|last month)\b/gi;

/** The days, months and years named in a text. A month without a year is the latest one that has begun by `now`. */
export function periodsIn(text: string, now: number): Period[] {
  if (text.length > MAX_DATED_QUERY) return [];
  const periods: Period[] = [];
  const add = (period: Period | undefined): void => {
    if (period && !periods.some(({ from, to }) => from >= period.from && to <= period.to)) periods.push(period);
  };
  for (const [, year, month, day] of text.matchAll(ISO_DAY)) add(dayOf(Number(year), Number(month) - 1, Number(day)));
  for (const [, day, month, year] of text.matchAll(DAY_MONTH)) add(dayIn(month, day, year, now));
  for (const [, month, day, year] of text.matchAll(MONTH_DAY)) add(dayIn(month, day, year, now));
  for (const [, month, year] of text.matchAll(MONTH_YEAR)) add(monthOf(Number(year), monthIndex(month)));
  for (const [, year, month] of text.matchAll(ISO_MONTH)) add(monthOf(Number(year), Number(month) - 1));
  for (const [, month] of text.matchAll(IN_MONTH)) add(latest((year) => monthOf(year, monthIndex(month)), now));
  const dated = periods.length > 0;
  for (const pattern of dated ? [] : [BARE_MONTH, CAPITAL_MONTH]) {
    for (const [, month] of text.matchAll(pattern)) add(latest((year) => monthOf(year, monthIndex(month)), now));
  }
  for (const [, year] of text.matchAll(YEAR)) {
    add({ from: Date.UTC(Number(year), 0, 1), to: Date.UTC(Number(year) + 1, 0, 1) });
  }
  for (const [, word = ''] of text.matchAll(RELATIVE)) add(relative(word.toLowerCase(), now));
  return periods;
}

/** A question longer than this is a pasted text, whose dates say nothing of what is asked. */
const MAX_DATED_QUERY = 2_000;

function dayIn(month: string | undefined, day: string | undefined, year: string | undefined, now: number) {
  const make = (y: number): Period | undefined => dayOf(y, monthIndex(month), Number(day));
  return year === undefined ? latest(make, now) : make(Number(year));
}

function dayOf(year: number, month: number, day: number): Period | undefined {
  const from = Date.UTC(year, month, day);
  const real = day >= 1 && new Date(from).getUTCMonth() === month && month >= 0 && month < 12;
  return real ? { from, to: from + DAY_MS } : undefined;
}

function monthOf(year: number, month: number): Period | undefined {
  if (month < 0 || month > 11) return undefined;
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) };
}

function monthIndex(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase());
}

function latest(make: (year: number) => Period | undefined, now: number): Period | undefined {
  const year = new Date(now).getUTCFullYear();
  const thisYear = make(year);
  return thisYear && thisYear.from <= now ? thisYear : make(year - 1);
}

function relative(word: string, now: number): Period {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const date = new Date(today);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const monday = today - ((date.getUTCDay() + 6) % 7) * DAY_MS;
  switch (word) {
    case 'today':
      return { from: today, to: today + DAY_MS };
    case 'yesterday':
      return { from: today - DAY_MS, to: today };
    case 'this week':
      return { from: monday, to: monday + 7 * DAY_MS };
    case 'last week':
      return { from: monday - 7 * DAY_MS, to: monday };
    case 'this month':
      return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) };
    default:
      return { from: Date.UTC(year, month - 1, 1), to: Date.UTC(year, month, 1) };
  }
}
