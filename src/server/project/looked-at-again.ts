/** Follows a file that a person may change at any time. */
import type { Log } from '../base/log';

const READ_EVERY_MS = 1_000;

/**
 * Reads it at most once a second. What is wrong with it is told once.
 * @param instead what counts while it cannot be read
 */
export function lookedAtAgain<Value>(read: () => Value, instead: Value, log: Log): () => Value {
  let readAt = Number.NEGATIVE_INFINITY;
  let known = instead;
  let told = '';
  return () => {
    const now = performance.now();
    if (now - readAt < READ_EVERY_MS) return known;
    readAt = now;
    try {
      known = read();
      told = '';
    } catch (error) {
      known = instead;
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== told) log(problem);
      told = problem;
    }
    return known;
  };
}
