import { cut, oneLine } from '../base/text';

const MAX_NAME = 60;

/** One sentence: what was not found, and what comes nearest. */
export function nothingFound(sentence: string, nearest: readonly string[]): string {
  if (nearest.length === 0) return `${sentence}.`;
  return `${sentence}; the nearest are ${nearest.map((name) => `"${cut(oneLine(name), MAX_NAME)}"`).join(', ')}.`;
}
