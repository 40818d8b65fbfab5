/** Orders what is left of a list that somebody walks through. */

/** Those behind `current` that were not seen yet, then those before it. */
export function comingAfter(
  order: readonly string[],
  current: string | undefined,
  seen: ReadonlySet<string>,
): readonly string[] {
  const at = current === undefined ? -1 : order.indexOf(current);
  const all = [...order.slice(at + 1), ...order.slice(0, at + 1)];
  return all.filter((id) => id !== current && !seen.has(id));
}
