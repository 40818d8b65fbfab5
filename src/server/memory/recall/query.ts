import { analyze, stem } from '../text/analyze';
import { type Period, periodsIn } from './periods';

/** One word of a question with the form under which all its forms are filed. */
export interface QueryTerm {
  readonly word: string;
  readonly stem: string;
}

export interface Query {
  /** What the question is about, in its order, each stem once. */
  readonly content: readonly QueryTerm[];
  /** Question words and the like: they count only when nothing else of the question is known to the store. */
  readonly function: readonly QueryTerm[];
  /** Days and months named in it. */
  readonly periods: readonly Period[];
}

const FUNCTION_WORDS = new Set(
  `a about after again all also always am an and any are as at be because been before being between both but by can
  could did didnt do does doesnt doing dont each ever every for from get gets getting give given go goes going gone got
  had has hasnt have havent having he her here hers him his how i id if im in into is isnt it its itself ive just let
  lets made make many may me might more most much must my neither no nor not of off on once one only or other our ours
  out over own please shall she should so some still such tell than that thats the their theirs them then there these
  they this those through to too under until up us very was wasnt we were werent what whats when where whether which
  while who whom whose why will with within without wont would you your yours`.split(/\s+/),
);

/** `now` in milliseconds, for "yesterday" and months without a year. */
export function parseQuery(text: string, now: number): Query {
  const content = new Map<string, QueryTerm>();
  const functionWords = new Map<string, QueryTerm>();
  for (const word of analyze(text).words) {
    const term = { word, stem: stem(word) };
    const group = FUNCTION_WORDS.has(word) ? functionWords : content;
    if (!group.has(term.stem)) group.set(term.stem, term);
  }
  return { content: [...content.values()], function: [...functionWords.values()], periods: periodsIn(text, now) };
}
