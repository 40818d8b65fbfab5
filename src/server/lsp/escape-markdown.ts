/** Makes stored text safe inside Markdown of the editor. */
import { cut, oneLine } from '../base/text';

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * Text that somebody stored, for inside Markdown: on one line, every punctuation mark escaped. So it can be no link,
 * image, code, heading, HTML or icon, and nothing in it that looks like an address becomes one.
 */
export function inert(text: string, max: number): string {
  return cut(oneLine(text), max).replace(PUNCTUATION, (mark) =>
    mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : `\\${mark}`,
  );
}

/** A link that runs a command of the extension; the client allows a few commands and no other. */
export function commandLink(label: string, command: string, argument: unknown): string {
  return `[${label}](${commandUri(command, argument)})`;
}

export function commandUri(command: string, argument: unknown): string {
  const query = encodeURIComponent(JSON.stringify([argument])).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `command:${command}?${query}`;
}
