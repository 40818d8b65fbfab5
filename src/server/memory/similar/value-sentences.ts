/** Takes from a text what it is compared by. */
import { FUNCTION_WORDS } from '../recall/query';
import { analyze, stem } from '../text/analyze';

/** A longer text is looked at as far as this, in characters. */
export const LOOKED_AT = 4_000;
/** Sentences with a value that count, of a text. */
const MOST_SENTENCES = 12;
/** What has fewer stems says too little to be recognised by. */
const FEWEST_STEMS = 2;

/** What can be changed while the sentence stays: something quoted, a name of code, a decorator, a number. */
const VALUE =
  /'[^'\s]{1,40}'|“[^”\s]{1,40}”|"[^"\s]{1,40}"|`[^`]{1,60}`|(?<![\w'])@?\w{0,60}_\w{0,60}|(?<!\w)@\w{1,60}|\b[A-Z]?[a-z]{1,60}[A-Z]\w{0,60}|\b\d[\w.]{0,60}/g;
/** Each of them has one of these, which most sentences lack. The look for it takes a twentieth of the time. */
const VALUE_SIGN = /['"“`@_\d]|[a-z][A-Z]/;
/** The number of an issue or its key: where it was spoken of, and no value. What is like a key may be a standard: `UTF-8`. */
const ISSUE =
  /(?<![\w&])#\d{1,5}\b|\b(?!(?:AES|CP|GPT|HTTP|IEEE|ISO|MD|RFC|RSA|SHA|TLS|UCS|UTF)-)[A-Z][A-Z0-9]{1,9}-\d{1,6}\b(?![-.]\d)/g;
const BETWEEN_SENTENCES = /(?<=[.!?])\s+/;

/** The stems of each sentence that states a value, without the value and without function words. */
export function valueSentences(text: string): ReadonlySet<string>[] {
  const looked = text.slice(0, LOOKED_AT);
  if (!VALUE_SIGN.test(looked)) return [];
  const found: ReadonlySet<string>[] = [];
  for (const whole of looked.split(BETWEEN_SENTENCES)) {
    const sentence = whole.replace(ISSUE, ' ');
    if (!VALUE_SIGN.test(sentence)) continue;
    const rest = sentence.replace(VALUE, ' ');
    if (rest === sentence) continue;
    const stems = tellingStems(rest);
    if (stems.size >= FEWEST_STEMS) found.push(stems);
    if (found.length === MOST_SENTENCES) break;
  }
  return found;
}

/** The stems of all of it but its values, as of one sentence, whether or not there are any; none of a text that says too little. */
export function wholeText(text: string): ReadonlySet<string>[] {
  const stems = tellingStems(text.slice(0, LOOKED_AT).replace(ISSUE, ' ').replace(VALUE, ' '));
  return stems.size >= FEWEST_STEMS ? [stems] : [];
}

/** Whether both texts name code, and none of it is in both. A number is no name. */
export function nameOtherCode(text: string, other: string): boolean {
  const own = namesIn(text);
  const others = namesIn(other);
  return own.length > 0 && others.length > 0 && !own.some((name) => others.includes(name));
}

/** The values but numbers, without their quotes and the brackets of a call. */
function namesIn(text: string): string[] {
  const values = text.slice(0, LOOKED_AT).replace(ISSUE, ' ').match(VALUE) ?? [];
  return values.map((value) => value.replace(/^['"“`]|['"”`]$|\(\)['"”`]?$/g, '')).filter((name) => !/^\d/.test(name));
}

/** Without function words. */
function tellingStems(text: string): ReadonlySet<string> {
  const { words } = analyze(text);
  return new Set(words.filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word)).map(stem));
}
