/** Puts together what several parts of a record say. Pure. */
import { oneLine } from '../../base/text';

/** What the title and the choice say, without saying it twice. */
export function together(title: string, said: string): string {
  const sentence = oneLine(said).replace(/\*\*([^*]+)\*\*/g, '$1');
  return says(title, said) ? title : says(said, title) ? sentence : `${title.replace(/[.:;,]+$/, '')}: ${sentence}`;
}

/** Whether a text tells already what another one says. */
export function says(text: string, other: string): boolean {
  const known = wordsIn(text);
  return [...wordsIn(other)].every((word) => known.has(word));
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** A list and a table begin on a line of their own. */
export function titled(title: string, text: string): string {
  return text === '' ? '' : `${title}:${/^(?:[-*+][ \t]|\|)/.test(text) ? '\n' : ' '}${text}`;
}

/** Each part as a paragraph. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((one) => one !== '').join('\n\n');
}

/** What is said first, and once, of a decision that was turned down: `Hold values by WeakRef: Rejected: they vanish`. */
const SAID_ALREADY = /(^|: )rejected: */i;

/** The content of a record that was rejected. @param content as the record has it */
export function turnedDown(content: string): string {
  return `Rejected: ${content.replace(SAID_ALREADY, '$1')}`;
}
