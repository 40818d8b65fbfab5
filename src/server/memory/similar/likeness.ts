/** Compares texts by their sentences that state a value. */

/** How much a stem tells: more, the fewer memories hold it. */
export type Weights = (stem: string) => number;

/** Of the two sentences that are most alike; 1 for equal ones. */
export function likenessOf(
  own: readonly ReadonlySet<string>[],
  others: readonly ReadonlySet<string>[],
  weigh: Weights,
): number {
  return Math.max(0, ...own.flatMap((one) => others.map((other) => cosine(one, other, weigh))));
}

/** Stems that two sentences have to share. */
export const FEWEST_COMMON = 2;

/** A stem that only the other one holds is not counted: it weighs as much as the own ones on average. */
function cosine(own: ReadonlySet<string>, other: ReadonlySet<string>, weigh: Weights): number {
  let all = 0;
  let common = 0;
  let agreeing = 0;
  for (const stem of own) {
    const weight = weigh(stem);
    all += weight;
    if (!other.has(stem)) continue;
    common += weight;
    agreeing += 1;
  }
  if (agreeing < FEWEST_COMMON) return 0;
  const others = common + ((other.size - agreeing) * all) / own.size;
  return common / Math.sqrt(all * others);
}
