/** Makes stored text safe to show. */
import { escapeIcons } from '../server/base/escape-icons';
import { cut, oneLine } from '../server/base/text';

/**
 * Text out of the store, made safe for the places of the editor that give some characters a meaning. Everything that a
 * memory, an entity, a session or a namespace is called passes through one of these before it is shown.
 */

/** A row of a tree or of a quick pick: longer text is not read there, and slows the list. */
export const MAX_ROW_LENGTH = 200;
/** A message of several sentences. */
export const MAX_MESSAGE_LENGTH = 600;
/** A word inside a message or the status bar. */
export const MAX_WORD_LENGTH = 60;

/** What is seen of it, on one line, at most `max` UTF-16 units, with `…` where something was cut off. */
export function plainLine(text: string, max: number = MAX_ROW_LENGTH): string {
  return cut(oneLine(text), max);
}

/** For quick picks and the status bar, where `$(name)` draws an icon: the editor prints an escaped one as it stands. */
export function withoutIcons(text: string, max: number = MAX_ROW_LENGTH): string {
  return escapeIcons(plainLine(text, max));
}

/** For messages, where `[words](address)` makes a link; a space between the two prevents that. */
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
    .map((line) => line.replace(PUNCTUATION, escaped))
    .join('\n\n');
}

/** What ends a link, gives its text a style, or names somebody or something elsewhere. */
const LINK_MARKS = /[\\[\]*_`~|<&$#@]/g;

/** For the text of a Markdown link that people paste: marks that mean nothing there stay as they are. */
export function inMarkdownLink(text: string, max: number): string {
  return plainLine(text, max).replace(LINK_MARKS, escaped);
}

function escaped(mark: string): string {
  return { '&': '&amp;', '<': '&lt;' }[mark] ?? `\\${mark}`;
}
