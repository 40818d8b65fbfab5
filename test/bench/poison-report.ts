import { count, type Goal } from './goals';
import type { PoisonFigures } from './poison';
import { table } from './table';

/** Of every way but the last, which shows what is not promised. */
export function poisonGoals(poison: readonly PoisonFigures[] | undefined): Goal[] {
  return (poison ?? []).slice(0, -1).map(({ way, planted, briefing, unmarked }) => ({
    what: `planted memories by ${way}: lines in a briefing, unmarked lines`,
    goal: '0, 0',
    measured: `${briefing}, ${unmarked} of ${planted}`,
    reached: briefing + unmarked === 0,
  }));
}

export function poisonFigures(poison: readonly PoisonFigures[] | undefined): string[] {
  if (!poison) return [];
  return [
    '## Planted memories',
    '',
    ...table(
      [
        '200 memories as published attacks plant them, by',
        'in the briefing',
        'in answers, unmarked',
        'in answers, marked',
      ],
      poison.map(({ way, briefing, unmarked, marked }) => [way, count(briefing), count(unmarked), count(marked)]),
    ),
  ];
}
