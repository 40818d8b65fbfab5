/** What two texts have in common at their beginning and end, folded. */

/** Lines of it that stay beside what differs, for people to see where they are. */
const CONTEXT = 8;
/** Fewer lines are not worth a fold. */
const FEWEST = 20;

/**
 * Folds the lines at both ends that did not change, so that what changed stands near the top.
 * @param folded the line in their place
 */
export function withoutSameEnds(
  then: string,
  now: string,
  folded: (count: number) => string,
): readonly [string, string] {
  if (then === now) return [then, now];
  const [before, after] = [then.split('\n'), now.split('\n')];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [above, below] = [head, tail].map((same) => (same - CONTEXT < FEWEST ? 0 : same - CONTEXT)) as [number, number];
  const fold = (count: number): string[] => (count === 0 ? [] : [folded(count)]);
  const side = (lines: readonly string[]): string =>
    [...fold(above), ...lines.slice(above, lines.length - below), ...fold(below)].join('\n');
  return [side(before), side(after)];
}
