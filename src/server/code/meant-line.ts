/** Tells a comment above a function from what is between functions. */
import { rowOfComment } from '../graph/doc-comment';
import { languageOf } from '../graph/language-of';
import { FILE_TYPE } from './working-files';

interface Placed {
  readonly code_type: string;
  readonly start_line: number;
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
  const next = symbols
    .filter(({ code_type, start_line }) => code_type !== FILE_TYPE && start_line > line)
    .reduce((nearest, { start_line }) => Math.min(nearest, start_line), Number.MAX_SAFE_INTEGER);
  if (next > lines.length) return line;
  return rowOfComment(lines, next - 1, language) < line ? next : line;
}
