/**
 * Text that somebody else wrote, made safe to print inside our own lines. Everything that comes from a store, a
 * document or a caller passes through one of these before it is shown, so that it cannot forge a heading or an item.
 */

// Line and paragraph separators, controls (C0, DEL, C1), the bidirectional overrides that reorder what is read, and the
// byte order mark, which tokenizers do not agree about.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters to take out
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that are not seen
const BLANK = /^[\s\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/;

/** Whether nothing of the text would be printed: a name of control characters is a name that nobody can see. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/**
 * The text on one line: runs of line breaks, tabs and control characters become one space, halves of surrogate pairs
 * U+FFFD; the ends are trimmed.
 */
export function oneLine(text: string): string {
  return wellFormed(text.replace(UNPRINTABLE, ' ')).trim();
}

// Everything a terminal would obey, and what reorders the text that is read; line breaks and tabs stay.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters to take out
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text of several lines for a terminal: what it would obey becomes a space. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(OBEYED, ' ');
}

/** The first `max` characters (UTF-16 units, never half a pair) with `…` where something was cut off. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isHighSurrogate(text.charCodeAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, Math.max(0, end)).trimEnd()}…`;
}

/** A caller's own word inside an error message: one line, at most 60 characters, in straight quotes. */
export function quoted(text: string): string {
  return `"${cut(oneLine(text), 60).replaceAll('"', "'")}"`;
}

const MAX_PATH_LENGTH = 300;

/** A path inside a message: one line, and no longer than people read. */
export function shownPath(path: string): string {
  return cut(oneLine(path), MAX_PATH_LENGTH);
}

const SURROGATE = /[\ud800-\udfff]/;
const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text with halves of surrogate pairs replaced, because SQLite and JSON store UTF-8. */
export function wellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(HALF_PAIR, '\ufffd') : text;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
