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
  const title = above === 0 ? 0 : headOf(before);
  const hidden = balanced(before.slice(title, above));
  const fold = (count: number): string[] => (count === 0 ? [] : [folded(count)]);
  const side = (lines: readonly string[]): string =>
    [
      ...lines.slice(0, title),
      ...fold(hidden),
      ...lines.slice(title + hidden, lines.length - below),
      ...fold(below),
    ].join('\n');
  return [side(before), side(after)];
}

/** Lines up to the one that says what it is, which is seen whatever is folded. */
function headOf(lines: readonly string[]): number {
  return lines.findIndex((line) => !/^\s*@/.test(line)) + 1;
}

/**
 * How many of them can be folded. Where the fold ended in a docstring or a comment, all below it would be coloured as one,
 * or as the opposite.
 */
function balanced(lines: readonly string[]): number {
  let count = 0;
  let end = '';
  for (const [i, line] of lines.entries()) {
    // A comment begins its line: paths with stars in strings have its sign, too.
    for (const [sign] of line.matchAll(/"""|'''|(?<=^\s*)\/\*|\*\//g)) {
      if (sign === end) end = '';
      else if (end === '' && sign !== '*/') end = sign === '/*' ? '*/' : sign;
    }
    if (end === '') count = i + 1;
  }
  return count < FEWEST ? 0 : count;
}
