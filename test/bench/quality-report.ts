import { percent } from './goals';
import { BUDGETS } from './judged-reply';
import { missedFigures } from './missed';
import type { Difference } from './paired-difference';
import { type SetQuality, type Shares, SYSTEMS } from './quality';
import { table } from './table';

/** What recall finds of each set, beside plain search, and how sure the difference is. */
export function qualityFigures(sets: readonly SetQuality[], missing: readonly string[], verbose: boolean): string[] {
  if (sets.length === 0) return [];
  const rows = sets.flatMap(({ set, questions, memories, systems, difference }) => {
    const { 'svc-memory': ours, 'raw FTS5': plain } = systems;
    const words = [ours.answerWords, plain.answerWords].map(threeShares);
    return [
      [
        `${set} (${questions} questions, ${memories} memories)`,
        ...[threeShares(ours.evidence), threeShares(plain.evidence)],
        difference.map(interval).join(' / '),
        ...[ours, plain].map(({ items }) => items.map((count) => count.toFixed(1)).join(' / ')),
        `${ours.ms.toFixed(1)} / ${plain.ms.toFixed(1)}`,
      ],
      ...(ours.answerWords ? [[`${set}: words of the answer`, ...words, '', '', '', '']] : []),
    ];
  });
  const together = BUDGETS.map((_, i) => sets.reduce((sum, { difference }) => sum + (difference[i]?.mean ?? 0), 0));
  const outdated = sets.flatMap(({ set, systems }) => {
    const shares = SYSTEMS.map((system) => systems[system].outdatedFirst);
    return shares.includes(undefined) ? [] : [[set, ...shares.map((share) => percent(share ?? 0))]];
  });
  return [
    `## Retrieval: evidence within ${BUDGETS.join(' / ')} tokens, in per cent`,
    '',
    ...missing.map((file) => `Not measured, because it is not here: ${file}.`),
    ...(missing.length > 0 ? [''] : []),
    ...table(
      ['set', 'svc-memory', 'FTS5', 'difference, with its 95 % interval', 'items', 'items of FTS5', 'ms, ours / FTS5'],
      rows,
    ),
    `All sets together, each counting the same: ${together.map((sum) => signed(sum / sets.length)).join(' / ')} points.`,
    '',
    ...(outdated.length > 0 ? table(['an outdated one before the current one', ...SYSTEMS], outdated) : []),
    ...missedFigures(sets),
    ...(verbose ? sets.flatMap(styleTable) : []),
  ];
}

function styleTable({ set, systems }: SetQuality): string[] {
  const rows = Object.entries(systems['svc-memory'].byStyle).map(([style, { questions }]) => [
    style,
    String(questions),
    ...SYSTEMS.map((system) => threeShares(systems[system].byStyle[style]?.evidence)),
  ]);
  return [`### ${set}, by style of question`, '', ...table(['style', 'questions', ...SYSTEMS], rows)];
}

export function threeShares(shares: Shares | undefined): string {
  return shares === undefined ? '' : shares.map((share) => (100 * share).toFixed(1)).join(' / ');
}

export function interval({ mean, low, high }: Difference): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

function signed(share: number): string {
  const points = (100 * share).toFixed(1);
  return share > 0 ? `+${points}` : points;
}
