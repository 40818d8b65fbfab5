/** Finds what a mistyped value was meant to be. */

/** More letters than these being wrong, it is another word. */
const MOST_WRONG = 2;

/** @returns the first of those that are most alike; undefined where none is */
export function meantChoice(typed: string, choices: readonly string[]): string | undefined {
  const wrong = choices.map((choice) => distance(typed.toLowerCase(), choice.toLowerCase()));
  const least = Math.min(...wrong);
  const found = choices[wrong.indexOf(least)];
  return found !== undefined && least <= MOST_WRONG && least * 2 < found.length ? found : undefined;
}

/** What is wrong with a value that is none of the choices. */
export function notAChoice(typed: string, choices: readonly string[]): string {
  const meant = meantChoice(typed, choices);
  return meant === undefined ? `It must be one of ${choices.join(', ')}.` : `Did you mean ${meant}?`;
}

/** Letters to put in, take out or replace. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MOST_WRONG) return MOST_WRONG + 1;
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
