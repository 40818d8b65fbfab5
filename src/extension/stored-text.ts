/**
 * Text out of the store, made safe for the places of the editor that give some characters a meaning. Everything that a
 * memory, an entity, a session or a namespace is called passes through one of these before it is shown.
 */

// Line and paragraph separators, controls, the bidirectional overrides that reorder what is read, the byte order mark.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters to take out
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/** A row of a tree or of a quick pick: longer text is not read there, and slows the list. */
export const MAX_ROW_LENGTH = 200;
/** A message of several sentences. */
export const MAX_MESSAGE_LENGTH = 600;
/** A word inside a message or the status bar. */
export const MAX_WORD_LENGTH = 60;

/** On one line, at most `max` UTF-16 units, with `…` where something was cut off. */
export function plainLine(text: string, max: number = MAX_ROW_LENGTH): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  if (line.length <= max) return line;
  const last = line.charCodeAt(max - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1;
  return `${line.slice(0, end).trimEnd()}…`;
}

/** For quick picks and the status bar, where `$(name)` draws an icon: the editor prints an escaped one as it stands. */
export function withoutIcons(text: string, max: number = MAX_ROW_LENGTH): string {
  return plainLine(text, max).replace(/\\?\$\(([A-Za-z0-9-]+(?:~[A-Za-z0-9-]+)?)\)/g, '\\$($1)');
}

/** For messages, where `[words](address)` makes a link: with a space between the two it is none. */
export function withoutLinks(text: string, max: number = MAX_WORD_LENGTH): string {
  return plainLine(text, max).replaceAll('](', '] (');
}

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * For tooltips, which are Markdown: text and nothing else, with a paragraph for each line. `appendText` of the editor
 * makes all spaces unbreakable, so that lines end in the middle of words.
 */
export function inMarkdown(text: string, max: number): string {
  const lines = text.split(/\r\n?|\n/).map((line) => plainLine(line, max));
  return lines
    .filter((line) => line !== '')
    .map((line) => line.replace(PUNCTUATION, (mark) => (mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : `\\${mark}`)))
    .join('\n\n');
}
