/** What two texts have in common at their beginning and end, folded. */

/** Lines of it that stay beside what differs, for people to see where they are. */
const CONTEXT = 6;
/** Fewer lines are not worth a fold. */
const FEWEST = 8;

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
  const { title, hidden } = foldAbove(before.slice(0, above));
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

/**
 * What is folded of the lines above: none of the first that say what it is (a comment, decorators, the line below them). A
 * fold does not begin or end inside a docstring or a comment: all below it would be coloured as one, or as the opposite.
 */
function foldAbove(lines: readonly string[]): { readonly title: number; readonly hidden: number } {
  const inside = insideText(lines);
  let title = headOf(lines);
  while (title > 0 && inside[title - 1]) title += 1;
  const end = inside.lastIndexOf(false) + 1;
  return end - title < FEWEST ? { title: 0, hidden: 0 } : { title, hidden: end - title };
}

/** Lines up to the first one that is no decorator, which may go over several. */
function headOf(lines: readonly string[]): number {
  let depth = 0;
  for (const [i, line] of lines.entries()) {
    if (depth <= 0 && !/^\s*@/.test(line)) return i + 1;
    depth += line.split(/[([]/).length - line.split(/[)\]]/).length;
  }
  return 0;
}

/** Of each line, whether a docstring or a comment goes on behind it. */
function insideText(lines: readonly string[]): boolean[] {
  let end = '';
  return lines.map((line) => {
    // A comment begins its line: paths with stars in strings have its sign, too.
    for (const [sign] of line.matchAll(/"""|'''|(?<=^\s*)\/\*|\*\//g)) {
      if (sign === end) end = '';
      else if (end === '' && sign !== '*/') end = sign === '/*' ? '*/' : sign;
    }
    return end !== '';
  });
}
