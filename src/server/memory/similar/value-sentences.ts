/** Finds the sentences of a text that state a value. */
import { FUNCTION_WORDS } from '../recall/query';
import { analyze, stem } from '../text/analyze';

/** A longer text is looked at as far as this, in characters. */
export const LOOKED_AT = 4_000;
/** Sentences with a value that count, of a text. */
const MOST_SENTENCES = 12;
/** A sentence of fewer stems says too little to be recognised by. */
const FEWEST_STEMS = 2;

/** What can be changed while the sentence stays: something quoted, a name of code, a decorator, a number. */
const VALUE =
  /'[^'\s]{1,40}'|“[^”\s]{1,40}”|"[^"\s]{1,40}"|`[^`]{1,60}`|(?<![\w'])@?\w{0,60}_\w{0,60}|(?<!\w)@\w{1,60}|\b[a-z]{1,60}[A-Z]\w{0,60}|\b\d[\w.]{0,60}/g;
/** Each of them has one of these, which most sentences lack. The look for it takes a twentieth of the time. */
const VALUE_SIGN = /['"“`@_\d]|[a-z][A-Z]/;
const BETWEEN_SENTENCES = /(?<=[.!?])\s+/;

/** The stems of each sentence that states a value, without the value and without function words. */
export function valueSentences(text: string): ReadonlySet<string>[] {
  const looked = text.slice(0, LOOKED_AT);
  if (!VALUE_SIGN.test(looked)) return [];
  const found: ReadonlySet<string>[] = [];
  for (const sentence of looked.split(BETWEEN_SENTENCES)) {
    if (!VALUE_SIGN.test(sentence)) continue;
    const rest = sentence.replace(VALUE, ' ');
    if (rest === sentence) continue;
    const { words } = analyze(rest);
    const stems = new Set(words.filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word)).map(stem));
    if (stems.size >= FEWEST_STEMS) found.push(stems);
    if (found.length === MOST_SENTENCES) break;
  }
  return found;
}
