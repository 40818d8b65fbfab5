/** Where in a document something is shown. */
import type { Range } from 'vscode-languageserver/node';

/** Longer than any line that people look at: a client cuts a range to the line. */
const END_OF_LINE = 10_000;

/** The line of a symbol's head, counted from 1; the file's first line for a symbol that has none. */
export function rangeOf(line: number | undefined): Range {
  const at = Math.max(0, (line ?? 1) - 1);
  return { start: { line: at, character: 0 }, end: { line: at, character: END_OF_LINE } };
}
