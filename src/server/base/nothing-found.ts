/** Says that nothing was found. */
import { quoted } from './text';

/** One sentence: what was not found, and what comes nearest. */
export function nothingFound(sentence: string, nearest: readonly string[]): string {
  if (nearest.length === 0) return `${sentence}.`;
  return `${sentence}; the nearest are ${nearest.map(quoted).join(', ')}.`;
}
