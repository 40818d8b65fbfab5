/** Which options a text speaks of as of what is wanted, as far as anybody can tell. Pure. */
import { beforeContrary, speaksOf } from './chosen-option';
import { nameOf, type Option, wordsOf } from './options';

/** In characters: what is wanted is said at once. */
const LONGEST = 1_000;
/** More are no list of ours, and each is looked for in each clause. */
const MOST = 250;
const END_OF_SENTENCE = /[.!?]["'”’*_)]*(?:\s|$)|\n[ \t]*\n/;
const REASON = /(?<=\S)\s+(?:because|since)\b/i;
const END_OF_CLAUSE = /[,;:()–—\n]| - /;
/** What stands before these is wanted; other words that turn away say it of what stands before them as well. */
const CONTRAST = /^(?:instead|rather|over)\b/i;

/** Those that a clause names outside of any reason, and before a word that turns away what follows it. */
export function leftOpen(text: string, options: readonly Option[]): readonly Option[] {
  if (options.length > MOST) return [];
  const sentences = text.slice(0, LONGEST).split(END_OF_SENTENCE);
  const clauses = sentences.flatMap((sentence) => (sentence.trim().split(REASON, 1)[0] ?? '').split(END_OF_CLAUSE));
  return options.filter((one) => clauses.some((clause) => speaksOf(clause, one) && !isTurnedAway(clause, one)));
}

/** "Postgres was too heavy" */
function isTurnedAway(clause: string, option: Option): boolean {
  const before = beforeContrary(clause);
  const after = clause.slice(before.length);
  return after !== '' && !CONTRAST.test(after) && wordsOf(before) === wordsOf(nameOf(option));
}
