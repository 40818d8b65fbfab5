/** Takes a question apart. */
import { analyze, foldName, stem } from '../text/analyze';
import { type Period, periodsIn } from './periods';
import { WEIGHTS, type Weights } from './weights';

/** One word of a question with the form under which all its forms are filed. */
export interface QueryTerm {
  readonly word: string;
  readonly stem: string;
  /**
   * 1 for a word that stands alone; the parts of a compound ("ecommerce-api", "getUserById", a path) share it. Words that
   * a long question repeats have more.
   */
  readonly weight: number;
  /** Stems of other words for it; missing where none are looked for. */
  readonly related?: readonly string[];
}

export interface Query {
  /** What the question is about, in its order, each stem once. */
  readonly content: readonly QueryTerm[];
  /** Question words and the like: they count only when nothing else of the question is known to the store. */
  readonly function: readonly QueryTerm[];
  /** What may be the name of an entity in it: runs of its words, as names are compared. */
  readonly names: readonly string[];
  /** Days and months named in it. */
  readonly periods: readonly Period[];
  /** What an answer to "when" or "how many" holds, in the words of the index with spaces around them. */
  readonly sought: RegExp | undefined;
}

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also always am an and any are as at be because been before being between both but by can
  could did didnt do does doesnt doing dont each ever every for from get gets getting give given go goes going gone got
  had has hasnt have havent having he her here hers him his how i id if im in into is isnt it its itself ive just let
  lets made make many may me might more most much must my neither no nor not of off on once one only or other our ours
  out over own please shall she should so some still such tell than that thats the their theirs them then there these
  they this those through to too under until up us very was wasnt we were werent what whats when where whether which
  while who whom whose why will with within without wont would you your yours`.split(/\s+/),
);

/** Whether a word asks or joins, and says nothing of what a text is about. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

const ASKS_WHEN =
  /^\s*(?:when|since when|until when|(?:on|in|at) (?:what|which) (?:day|date|month|year|week|time))\b|\bwhat (?:day|date|month|year|time)\b/i;
const ASKS_HOW_MANY = /\bhow (?:many|much|long|old|often|far|big|large|tall|high)\b/i;
const TIMES =
  / (?:yesterday|today|tomorrow|tonight|ago|last|next|since|week|weeks|weekend|month|months|year|years|morning|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|\d{1,2}(?:st|nd|rd|th)) /;
const QUANTITIES =
  / (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|dozen|half|couple|few|several|once|twice|daily|weekly|monthly|every|hours?|days?|weeks?|months?|years?|minutes?) /;

/** A longer text is pasted: its "when" and "how many" ask for nothing. */
const MAX_ASKING_QUERY = 300;
/** Longer names of entities are not looked for in a question. */
const MAX_NAME_WORDS = 4;
/** Of a pasted text, names are looked for in the beginning only. */
const MAX_NAMING_WORDS = 64;
const AROUND_A_NAME = /^[^\p{L}\p{N}@#$_./\\]+|(?:['’]s)?[^\p{L}\p{N}#+)]*$/gu;

/** `now` in milliseconds, for "yesterday" and months without a year. */
export function parseQuery(text: string, now: number, { repeated }: Weights = WEIGHTS): Query {
  const counts = new Map<string, number>();
  const content = new Map<string, QueryTerm>();
  const functionWords = new Map<string, QueryTerm>();
  for (const chunk of text.split(/\s+/)) {
    const words = [...new Set(analyze(chunk).words)];
    const weight = 1 / Math.sqrt(Math.max(1, words.length));
    for (const word of words) {
      const term = { word, stem: stem(word), weight };
      const group = FUNCTION_WORDS.has(word) ? functionWords : content;
      const known = group.get(term.stem);
      if (!known || known.weight < weight) group.set(term.stem, term);
      counts.set(term.stem, (counts.get(term.stem) ?? 0) + 1);
    }
  }
  return {
    content: [...content.values()].map((term) => ({
      ...term,
      weight: term.weight * (1 + repeated * Math.log(counts.get(term.stem) ?? 1)),
    })),
    function: [...functionWords.values()],
    names: namesIn(text),
    periods: periodsIn(text, now),
    sought: soughtBy(text),
  };
}

function soughtBy(text: string): RegExp | undefined {
  if (text.length > MAX_ASKING_QUERY) return undefined;
  return ASKS_WHEN.test(text) ? TIMES : ASKS_HOW_MANY.test(text) ? QUANTITIES : undefined;
}

function namesIn(text: string): string[] {
  const words = text
    .slice(0, MAX_NAMING_WORDS * MAX_NAMING_WORDS)
    .split(/\s+/, MAX_NAMING_WORDS)
    .map((word) => foldName(word.replaceAll(AROUND_A_NAME, '')))
    .filter((word) => word !== '');
  const names = new Set<string>();
  for (const [i, word] of words.entries()) {
    if (!FUNCTION_WORDS.has(word)) names.add(word);
    for (let n = 2; n <= MAX_NAME_WORDS && i + n <= words.length; n++) names.add(words.slice(i, i + n).join(' '));
  }
  return [...names];
}
