export interface Random {
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  of<Item>(items: readonly Item[]): Item;
}

/** The same numbers for the same seed (mulberry32), so that a failing test can be run again. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (n) => Math.floor(next() * n),
    of: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('an empty list has no item');
      return item;
    },
  };
}
