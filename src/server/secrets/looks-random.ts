/** Tells values that a machine drew from names and words that people write. */
import { areNoWords } from './letters';

/** Pairs of letters that words are made of. A value that was drawn has few of them. */
const PAIRS = new Set(
  (
    'ab ac ad af ag ai ak al am an ap ar as at au av aw ay ba be bi bl bo br bu by ca ce ch ci ck cl co cr ct cu da de di do du ea ec ed ee ef ei el em en er es et ev ew ex ey fa fe fi fo fr fu ga ge gh gi gl go gr ' +
    'ha he hi ho ht ia ib ic id ie if ig il im in io ir is it iv ke ki la ld le li ll lo ls ly ma me mi mo mp na nc nd ne ng ni no ns nt nu oa ob oc od of og ok ol om on oo op or os ot ou ov ow pa pe ph pi pl po pr ' +
    'qu ra rc rd re ri rk rm rn ro rs rt ru ry sa sc se sh si so sp ss st su ta te th ti to tr ts tt tu ty ub uc ue ui ul um un up ur us ut va ve vi wa we wh wi wo ye'
  ).split(' '),
);

const FEWEST_CHARACTERS = 12;
const FEWEST_MIXED_LETTERS = 10;
const FEWEST_DIFFERENT = 7;
/** Without a digit only a longer value is told from a name. */
const FEWEST_LETTERS = 20;
/** Behind a beginning that nothing else has. */
const FEWEST_LETTERS_BEGUN = 16;
/** Of the neighbours in a value; names have 0.45 and more of them, drawn values of 20 characters 0.27 and less. */
export const SHARE_OF_WORDS = 0.36;
/** `0123456789`, `abcdefghij` */
const LONGEST_SEQUENCE = 9;

/** Whether a value was drawn by a machine, as far as its letters tell. */
export function looksRandom(value: string, mostWords = SHARE_OF_WORDS): boolean {
  const core = value.replace(/[^A-Za-z0-9]/g, '');
  if (core.length < FEWEST_CHARACTERS || new Set(core).size < FEWEST_DIFFERENT || isPlaceholder(value)) return false;
  if (/\d/.test(core)) return /[A-Za-z]/.test(core) && shareOfWords(core) <= mostWords;
  return core.length >= (mostWords > SHARE_OF_WORDS ? FEWEST_LETTERS_BEGUN : FEWEST_LETTERS) && areNoWords(value);
}

/** Whether a short value sounds like words, with a number at most. */
export function soundsLikeWords(value: string): boolean {
  const core = value.replace(/[^A-Za-z0-9]/g, '');
  return /\d/.test(core) ? shareOfWords(core) > SHARE_OF_WORDS : !areNoWords(value);
}

/** `xKsmMiKrRnYG`: letters alone, in no order of words. Small ones alone are names of programs, too, so more are asked for. */
export function areDrawnLetters(value: string): boolean {
  const letters = value.replace(/[!@#$%^&*?~+]$/, '');
  if (!/^[A-Za-z]+$/.test(letters)) return false;
  return (
    letters.length >= (/[a-z][A-Z]/.test(letters) ? FEWEST_MIXED_LETTERS : FEWEST_CHARACTERS) && areNoWords(letters)
  );
}

function shareOfWords(core: string): number {
  const isUpper = !/[a-z]/.test(core);
  let words = 0;
  for (let i = 1; i < core.length; i++) {
    // A word has small letters behind its first, or capital ones alone.
    if ((isUpper || caseOf(core.charAt(i)) === 'lower') && PAIRS.has(core.slice(i - 1, i + 1).toLowerCase()))
      words += 1;
  }
  return words / (core.length - 1);
}

function caseOf(character: string): 'digit' | 'upper' | 'lower' {
  if (character <= '9') return 'digit';
  return character <= 'Z' ? 'upper' : 'lower';
}

const SAID_TO_BE_NONE =
  /x{5}|0{6}|JBSWY3DPEHPK3PXP|\*{2}|\.{3}|…|_{4}|#{3}|placeholder|redacted|change.?(?:me|this)|replace.?(?:me|with|this)|not.?(?:a.?)?real|insert.?here|example|foobar|some.?(?:key|token|secret)|(?<![A-Za-z])your(?![a-z])|(?<![A-Za-z0-9])(?:x{3,}|masked|dummy|fake|mock|sample|lorem|test|todo|tbd|none|null|undefined|invalid|stub|here)(?![A-Za-z0-9])/i;

const PUBLIC = /^["'`]?(?:,? (?:is|are) (?:the |our )?(?:[\w']{1,20} )?public\b|,? \(public\))/;

/** Whether what stands right behind a value says that everybody may know it. */
export function isSaidToBePublic(behind: string): boolean {
  return PUBLIC.test(behind);
}

/** Whether a value stands for one: `xxxx`, `<token>`, `your-key`, `AKIA…EXAMPLE`, `0123456789`. */
export function isPlaceholder(value: string): boolean {
  if (SAID_TO_BE_NONE.test(value)) return true;
  let sequence = 1;
  for (let i = 1; i < value.length; i++) {
    sequence = value.charCodeAt(i) === value.charCodeAt(i - 1) + 1 ? sequence + 1 : 1;
    if (sequence >= LONGEST_SEQUENCE) return true;
  }
  return false;
}
