/** Makes text of others safe to print. */
import { replaceInvisible, visible } from './visible';

/**
 * Text that somebody else wrote, made safe to print inside our own lines. Everything that comes from a store, a
 * document or a caller passes through one of these before it is shown, so that it cannot forge a heading or an item.
 */

// Latin letters, punctuation, arrows: most texts hold nothing else, and are looked at once.
const PLAIN = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u23ff]*$/;

// Line and paragraph separators, controls (C0, DEL, C1).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters to take out
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

// The pattern of Braille without dots is a symbol for programs and a space for people.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that are not seen
const BLANK = /^[\s\u0000-\u001f\u007f-\u009f\u2800]*$/;

/** What a look at the first letter tells of nearly every text. */
const INK = /[!-~]/;

/** Whether nothing of the text would be printed: a name of control characters is a name that nobody can see. */
export function isBlank(text: string): boolean {
  return !INK.test(text) && BLANK.test(seen(text));
}

/**
 * The text as people see it, on as many lines: without what is invisible (base/visible), and with halves of surrogate
 * pairs as U+FFFD, because SQLite and JSON store UTF-8.
 */
export function seen(text: string): string {
  return PLAIN.test(text) ? text : visible(text.toWellFormed());
}

/** What is seen of the text, on one line: runs of line breaks, tabs and control characters become one space. */
export function oneLine(text: string): string {
  return (PLAIN.test(text) ? text : visible(text.toWellFormed()).replace(UNPRINTABLE, ' ')).trim();
}

// Everything a terminal would obey; line breaks and tabs stay.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters to take out
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Text of several lines for a terminal: what it would obey becomes a space. */
export function printable(text: string): string {
  return seen(text).replaceAll('\r\n', '\n').replace(OBEYED, ' ');
}

/**
 * JSON without what a terminal would obey and what nobody sees. JSON escapes C0 itself; the rest is escaped here, and
 * reads back the same.
 */
export function escapeControls(json: string): string {
  return replaceInvisible(json.replace(/[\u007f-\u009f\u2028\u2029]/g, escaped), escaped);
}

function escaped(run: string): string {
  let text = '';
  for (let i = 0; i < run.length; i++) text += `\\u${run.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}

/** The first `max` characters (UTF-16 units, never half a pair) with `…` where something was cut off. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isHighSurrogate(text.charCodeAt(max - 2)) ? max - 2 : max - 1;
  // Within an emoji of several, what joined it to the rest would be left, and nobody would see it.
  return `${seen(text.slice(0, Math.max(0, end))).trimEnd()}…`;
}

/** A caller's own word inside an error message: one line, at most 60 characters, in straight quotes. */
export function quoted(text: string): string {
  return `"${cut(oneLine(text), 60).replaceAll('"', "'")}"`;
}

/** As a shell reads it: a quote in it ends the text, stands alone, and begins it again. */
export function typed(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const MAX_PATH_LENGTH = 300;

/** A path inside a message: one line, and no longer than people read. */
export function shownPath(path: string): string {
  return cut(oneLine(path), MAX_PATH_LENGTH);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
