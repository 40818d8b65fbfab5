/** Takes text apart into the words that search knows. */
import stemOf from 'wink-porter2-stemmer';
import { oneLine, seen } from '../../base/text';
import { irregularBase } from './irregular';

/**
 * How text becomes the terms that search matches. Memories and queries go through the same function, so that what was
 * stored is found. Terms hold only ASCII letters and digits or characters outside ASCII: the full-text index's own
 * `ascii` tokenizer takes them as they are.
 */
export interface Terms {
  /** Words as written: lower case, without accents; identifiers whole and in parts; unspaced scripts in pairs. */
  readonly words: string[];
  /** For each word whose stem differs from it, that stem. */
  readonly stems: string[];
}

/** What a token gives: as lists for queries, as lines for the index. */
interface Analysed {
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** The same, each term followed by a space. */
  readonly wordLine: string;
  readonly stemLine: string;
}

const MAX_CACHED_TOKENS = 20_000;
const MAX_CACHED_LENGTH = 40;
/** What is longer is an identifier as a whole: its parts are stemmed, and they are few that come again and again. */
const LONGEST_STEMMED = 20;
/** Longer unbroken runs are no words (keys, base64): their beginning is enough to find them. */
const MAX_WORD_LENGTH = 64;

// Letters, digits, marks and underscores; C++ and C#; pictographs and symbols one by one.
const TOKEN =
  /[a-z](?:\+\+|#)(?![\p{L}\p{N}+#])|[\p{L}\p{N}\p{M}_]+(?:['’]\p{L}+)*|\p{Extended_Pictographic}|(?!\$)[\p{Sc}\p{So}]/giu;
const SIMPLE = /^[a-z]+$/;
// Scripts that put no space between words.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/u;
const UNSPACED_RUNS = new RegExp(`(${UNSPACED.source})`, 'u');
const APOSTROPHE_S = /['’]s$/i;
const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

const cache = new Map<string, Analysed>();
const stems = new Map<string, string>();

export function analyze(text: string): Terms {
  const words: string[] = [];
  const stems: string[] = [];
  eachToken(text, ({ words: own, stems: ownStems }) => {
    for (const word of own) words.push(word);
    for (const stem of ownStems) stems.push(stem);
  });
  return { words, stems };
}

/** The terms of a text as the index stores them, separated by spaces; an import spends most of its time here. */
export function analyzeLines(text: string): { readonly words: string; readonly stems: string } {
  let words = '';
  let stems = '';
  eachToken(text, ({ wordLine, stemLine }) => {
    words += wordLine;
    stems += stemLine;
  });
  return { words: words.trimEnd(), stems: stems.trimEnd() };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
const NOT_ASCII = /[^\x00-\x7f]/;
const ASCII_LETTER = 1;
const ASCII_WORD = 2;
const ASCII_CLASSES = new Uint8Array(128);
for (let code = 0; code < ASCII_CLASSES.length; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) ASCII_CLASSES[code] = ASCII_LETTER;
  else if (/[0-9_]/.test(character)) ASCII_CLASSES[code] = ASCII_WORD;
}
const APOSTROPHE = 39;
const ASCII_TOKEN = /^\w+$/;
const [UNDERSCORE, UPPER_A, UPPER_Z, LOWER_A, LOWER_Z] = [95, 65, 90, 97, 122];

function eachToken(text: string, take: (analysed: Analysed) => void): void {
  if (NOT_ASCII.test(text)) {
    for (const [token] of seen(text).matchAll(TOKEN)) take(cached(token));
    return;
  }
  // What TOKEN finds in ASCII text, in half its time.
  let start = 0;
  while (start < text.length) {
    if (asciiClass(text, start) === 0) {
      start += 1;
      continue;
    }
    const end = endOfAsciiToken(text, start);
    take(cached(text.slice(start, end)));
    start = end;
  }
}

function endOfAsciiToken(text: string, start: number): number {
  let end = start + 1;
  while (asciiClass(text, end) !== 0) end += 1;
  if (end === start + 1 && asciiClass(text, start) === ASCII_LETTER) {
    const symbol = text.startsWith('++', end) ? 2 : text.startsWith('#', end) ? 1 : 0;
    if (symbol > 0 && !/[a-z0-9+#]/i.test(text.charAt(end + symbol))) return end + symbol;
  }
  while (text.charCodeAt(end) === APOSTROPHE && asciiClass(text, end + 1) === ASCII_LETTER) {
    end += 2;
    while (asciiClass(text, end) === ASCII_LETTER) end += 1;
  }
  return end;
}

/** 0 outside words, and at the end of the text. */
function asciiClass(text: string, at: number): number {
  return ASCII_CLASSES[text.charCodeAt(at)] ?? 0;
}

/** The form under which all forms of a word are filed: its irregular base's or its own stem. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > LONGEST_STEMMED) return word;
  let known = stems.get(word);
  if (known === undefined) {
    known = SIMPLE.test(word) ? stemOf(irregularBase(word) ?? word) : word;
    if (stems.size >= MAX_CACHED_TOKENS) stems.clear();
    stems.set(word, known);
  }
  return known;
}

/** A name as it is compared: width, case, accents, spacing and what cannot be printed do not count. */
export function foldName(name: string): string {
  return fold(oneLine(name)).replace(/\s+/gu, ' ').trim();
}

function cached(token: string): Analysed {
  const known = cache.get(token);
  if (known) return known;
  const analysed = analyseToken(token);
  if (token.length <= MAX_CACHED_LENGTH) {
    if (cache.size >= MAX_CACHED_TOKENS) cache.clear();
    cache.set(token, analysed);
  }
  return analysed;
}

/** The words of a token, cut out of a run without spaces where there is one, with their stems. */
function analyseToken(token: string): Analysed {
  const words = wordsOfToken(token);
  const stems: string[] = [];
  for (const word of words) {
    const stemmed = stem(word);
    if (stemmed !== word) stems.push(stemmed);
  }
  return { words, stems, wordLine: lineOf(words), stemLine: lineOf(stems) };
}

function wordsOfToken(token: string): readonly string[] {
  if (ASCII_TOKEN.test(token)) return asciiWordsOf(token);
  if (!UNSPACED.test(token)) return wordsOf(token);
  // A run without a space may be of any length: more terms than a call takes as arguments.
  return token.split(UNSPACED_RUNS).flatMap((run) => {
    if (run === '') return [];
    return UNSPACED.test(run) ? pairs(fold(run)) : wordsOf(run);
  });
}

function lineOf(terms: readonly string[]): string {
  return terms.map((term) => `${term} `).join('');
}

/** "getUserName" → getusername get user name; "max_retries" → maxretries max retries; "Anna's" → anna. */
function wordsOf(token: string): string[] {
  const symbolic = /^([a-z])(\+\+|#)$/i.exec(token);
  if (symbolic) return [`${symbolic[1]?.toLowerCase()}${symbolic[2] === '#' ? 'sharp' : 'plusplus'}`];
  const plain = token.replace(APOSTROPHE_S, '').replace(/['’]/g, '');
  const parts = plain.split('_').flatMap((part) => part.split(CAMEL_BOUNDARY));
  const folded = parts.map((part) => clip(fold(part))).filter((part) => part !== '');
  return folded.length > 1 ? [clip(folded.join('')), ...folded] : folded;
}

/** The same for tokens of ASCII letters, digits and underscores, without the regular expressions, in a fifth of the time. */
function asciiWordsOf(token: string): string[] {
  const lower = token.toLowerCase();
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= token.length; at++) {
    const underscore = token.charCodeAt(at) === UNDERSCORE;
    if (at < token.length && !underscore && !(at > start && beginsPart(token, at))) continue;
    if (at > start) parts.push(clip(lower.slice(start, at)));
    start = underscore ? at + 1 : at;
  }
  return parts.length > 1 ? [clip(parts.join('')), ...parts] : parts;
}

/** An upper-case letter after another character, or before the rest of its word: `get|User`, `HTTP|Server`. */
function beginsPart(token: string, at: number): boolean {
  if (!isUpper(token, at)) return false;
  return !isUpper(token, at - 1) || (token.charCodeAt(at + 1) >= LOWER_A && token.charCodeAt(at + 1) <= LOWER_Z);
}

function isUpper(token: string, at: number): boolean {
  const code = token.charCodeAt(at);
  return code >= UPPER_A && code <= UPPER_Z;
}

/** Unspaced text is found by its pairs of characters, and by single characters where the query is one. */
function pairs(run: string): string[] {
  const characters = [...run];
  const terms = [...characters];
  for (let i = 1; i < characters.length; i++) terms.push(`${characters[i - 1]}${characters[i]}`);
  return terms;
}

function fold(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, the common case that needs no folding
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  // Accents go from alphabets only: in other scripts marks are letters (dakuten, vowel signs).
  return text
    .normalize('NFKD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '')
    .normalize('NFKC')
    .toLowerCase();
}

function clip(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join('');
}
