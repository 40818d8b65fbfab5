import { WEIGHTS, type Weights } from '../../src/server/memory/recall/weights';
import { percent } from './goals';
import { BUDGETS } from './judged-reply';
import { measureEvidence, type Shares } from './quality';
import type { QualitySet } from './quality-sets';
import { table } from './table';

/** The weights that move recall most, each with the values that are tried in place of the program's. */
const TRIED: Readonly<Partial<Record<keyof Weights, readonly number[]>>> = {
  rarityPower: [1, 1.25, 1.6],
  asked: [0.3, 0.7],
  relatedWord: [0, 0.15],
  neighbour: [0.5, 0.7],
  unmatched: [0.25, 1],
  named: [0.2, 0.6],
  episode: [0, 0.4],
  shortMemory: [20, 40],
  trustInLong: [0.05, 0.3],
  sure: [0.4, 0.6],
};

export interface LeftOut {
  readonly set: string;
  /** What is best on all the other sets. */
  readonly chosen: string;
  /** Evidence with the program's weights, and with the chosen ones. */
  readonly own: Shares;
  readonly leftOut: Shares;
  /** At each budget the most that any of the weights tried finds of it: what fitting one weight to this very set would bring. */
  readonly most: Shares;
}

/**
 * For each set, the weights that are best on all the others, and what they find of this one. One weight is changed at a
 * time: a coarse search, which says whether a weight was fitted to one set.
 */
export async function leaveOneOut(
  sets: readonly QualitySet[],
  sample: number | undefined,
  progress: (text: string) => void,
): Promise<LeftOut[]> {
  const tried: { readonly name: string; readonly weights: Weights }[] = [
    { name: 'as they are', weights: WEIGHTS },
    ...Object.entries(TRIED).flatMap(([name, values]) =>
      values.map((value) => ({ name: `${name} ${value}`, weights: { ...WEIGHTS, [name]: value } })),
    ),
  ];
  const found: Shares[][] = [];
  for (const { name, weights } of tried) {
    progress(`quality, leaving one out: ${name}`);
    const row: Shares[] = [];
    for (const set of sets) row.push(await measureEvidence(set, { sample, weights }));
    found.push(row);
  }
  return sets.map(({ name }, left) => {
    const worth = found.map((row) => sum(row.flatMap((shares, i) => (i === left ? [] : shares))));
    const best = worth.indexOf(Math.max(...worth));
    return {
      set: name,
      chosen: tried[best]?.name ?? '',
      own: found[0]?.[left] ?? [],
      leftOut: found[best]?.[left] ?? [],
      most: BUDGETS.map((_, i) => Math.max(...found.map((row) => row[left]?.[i] ?? 0))),
    };
  });
}

export function leftOutFigures(rows: readonly LeftOut[]): string[] {
  const shares = (figures: Shares): string => figures.map(percent).join(' / ');
  return [
    `### Each set left out while weights are chosen: evidence within ${BUDGETS.join(' / ')} tokens`,
    '',
    ...table(
      [
        'set left out',
        'with the weights of the program',
        'with those that are best on the others',
        'which',
        'the most of any',
      ],
      rows.map(({ set, own, leftOut, chosen, most }) => [set, shares(own), shares(leftOut), chosen, shares(most)]),
    ),
  ];
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
