/** What `npm run test:long` runs and `npm test` does not, because quicker tests hold the same rules. */
export const IS_LONG = process.env.LONG === '1';

/**
 * Some cases, each of which can be tested in any of these ways: in `npm test` each is in one of them, by turns.
 * @param number that of the case
 */
export function waysOf<Way>(ways: readonly Way[], number: number): readonly Way[] {
  return IS_LONG ? ways : ways.filter((_, i) => i === number % ways.length);
}
