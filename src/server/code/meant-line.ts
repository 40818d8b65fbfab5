/** Tells a comment above a function from what is between functions. */
import { rowOfComment } from '../graph/doc-comment';
import { languageOf } from '../graph/language-of';
import { FILE_TYPE } from './working-files';

interface Placed {
  readonly code_type: string;
  readonly start_line: number;
  readonly end_line: number;
}

/**
 * What a comment, or a decorator, right above a definition says is about it, so its lines are meant as those of the definition.
 * @param line from 1
 * @returns the first line of that definition; the line itself where it is in no such comment
 */
export function meantLine(path: string, text: string, line: number, symbols: readonly Placed[]): number {
  const language = languageOf(path, text);
  if (!language) return line;
  const lines = text.split('\n');
  const inFile = symbols.filter(({ code_type }) => code_type !== FILE_TYPE);
  const next = inFile.reduce(
    (nearest, { start_line }) => (start_line > line && start_line < nearest ? start_line : nearest),
    Infinity,
  );
  // It is code of its own, whatever it looks like.
  const isCode = inFile.some((one) => one.start_line <= line && line <= one.end_line && one.end_line < next);
  if (isCode || next > lines.length) return line;
  return rowOfComment(lines, next - 1, language) < line ? next : line;
}
