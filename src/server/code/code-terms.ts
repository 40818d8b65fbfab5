/** The search terms of a text. */
import { analyzeLines } from '../memory/text/analyze';

/** The terms under which the code graph finds a text: those of memories. */
export function codeTerms(text: string): string {
  const { words, stems } = analyzeLines(text);
  return stems === '' ? words : `${words} ${stems}`;
}
