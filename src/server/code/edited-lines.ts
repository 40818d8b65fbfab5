/** Finds the lines of a file that an edit is about. */
import { textInside } from '../graph/read-source';
import type { LineRange } from '../memory/code/memories-at-edit';

const MOST_PLACES = 20;

/**
 * The lines on which these pieces of text stand, each as often as it does. Undefined, so that any line may be meant, without
 * a piece or where one is not in the file.
 * @param path relative to the root
 */
export function editedLines(root: string, path: string, pieces: readonly string[]): readonly LineRange[] | undefined {
  const read = pieces.length === 0 ? undefined : textInside(root, path);
  if (read === undefined) return undefined;
  const text = withPlainEnds(read);
  const ranges: LineRange[] = [];
  for (const piece of pieces.map(withPlainEnds)) {
    let at = text.indexOf(piece);
    if (at < 0) return undefined;
    for (; at >= 0 && ranges.length < MOST_PLACES; at = text.indexOf(piece, at + piece.length)) {
      const start = lineOf(text, at);
      ranges.push({ start, end: start + piece.replace(/\n$/, '').split('\n').length - 1 });
    }
  }
  return ranges;
}

function withPlainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
  return line;
}
