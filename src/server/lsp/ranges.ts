/** Where in a document something is shown. */
import type { Range } from 'vscode-languageserver/node';

/** Longer than any line that people look at: a client cuts a range to the line. */
const END_OF_LINE = 10_000;

const LETTER = /[\p{L}\p{N}_$]/u;

/** The line of a symbol's head, counted from 1. */
export function rangeOf(line: number): Range {
  return onLine(line, 0, END_OF_LINE);
}

/** Where the name of a symbol stands in the line of its head; the whole line where it does not stand there as it is. */
export function rangeOfName(head: string, line: number, name: string): Range {
  const own = name.slice(name.lastIndexOf('.') + 1);
  for (let at = head.indexOf(own); own !== '' && at >= 0; at = head.indexOf(own, at + 1)) {
    const end = at + own.length;
    if (!LETTER.test(head.charAt(at - 1)) && !LETTER.test(head.charAt(end))) return onLine(line, at, end);
  }
  return rangeOf(line);
}

function onLine(line: number, start: number, end: number): Range {
  const at = Math.max(0, line - 1);
  return { start: { line: at, character: start }, end: { line: at, character: end } };
}
