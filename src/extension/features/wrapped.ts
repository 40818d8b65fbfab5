/** Breaks a text into lines, for places that do not. */

/** A space at which no line is broken. */
export const TOGETHER = '\u00a0';

/** @param width in characters; a longer word has a line of its own */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => one.replaceAll(TOGETHER, ' '));
}
