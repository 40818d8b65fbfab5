import { count, type Goal, percent } from './goals';
import type { SimilarQuality } from './similar';
import { table } from './table';

const NAMED = 0.8;
const MOST_ALARMS = 0.05;

/** Of the chains that nothing was chosen on. */
export function similarGoals(similar: readonly SimilarQuality[] | undefined): Goal[] {
  const left = similar?.at(-1);
  if (!left || left.changed === 0) return [];
  const named = left.named / left.changed;
  const alarms = left.alarms / left.others;
  return [
    {
      what: 'conventions stored after a change: the earlier one named',
      goal: percent(NAMED),
      measured: percent(named),
      reached: named >= NAMED,
    },
    {
      what: 'conventions: other stores with a false alarm',
      goal: `≤ ${percent(MOST_ALARMS)}`,
      measured: percent(alarms),
      reached: alarms <= MOST_ALARMS,
    },
  ];
}

export function similarFigures(similar: readonly SimilarQuality[] | undefined): string[] {
  if (!similar) return [];
  return [
    '## Storing: what a new memory may replace',
    '',
    ...table(
      ['conventions, given and later changed', 'changed', 'earlier one named', 'other stores', 'false alarms'],
      similar.map(({ half, chains, changed, named, others, alarms }) => [
        `${chains} ${half}`,
        count(changed),
        `${named} (${percent(named / changed)})`,
        count(others),
        `${alarms} (${percent(alarms / others)})`,
      ]),
    ),
  ];
}
