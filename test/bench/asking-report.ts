import type { Asking } from './asking';
import { atMost, count, type Goal, MIB, mebibytes, plain } from './goals';
import { table } from './table';
import type { Timing } from './timing';

const FIRST_TO_WARM = 2;
const LONG_TO_RAW = 1;
const UNCOUNTED_MS = 5_000;
const IMPORTED_BYTES = 150 * MIB;

export function askingGoals(asking: Asking | undefined): Goal[] {
  if (!asking) return [];
  const { first, long, uncounted, imported } = asking;
  const ratio = (value: number): string => value.toFixed(2);
  return [
    ...first.flatMap(({ size, first: cold, warm }) =>
      atMost(
        `first recall of a process at ${count(size)}, p50 against the next ones`,
        cold.p50 / warm.p50,
        FIRST_TO_WARM,
        ratio,
      ),
    ),
    ...atMost(
      `question of 1,500 characters at ${count(long.size)}, p50 against raw FTS5`,
      long.ours.p50 / long.raw.p50,
      LONG_TO_RAW,
      ratio,
    ),
    ...atMost('use counters in the file while recalls keep coming, longest wait', uncounted, UNCOUNTED_MS, seconds),
    ...atMost(
      `resident memory 5 s after an import of ${count(imported.size)}`,
      imported.resident,
      IMPORTED_BYTES,
      mebibytes,
    ),
  ];
}

export function askingFigures(asking: Asking | undefined): string[] {
  if (!asking) return [];
  const { first, long } = asking;
  return [
    '## Recall: the first one, and long questions',
    '',
    ...table(
      ['p50 / p95 ms', 'svc-memory', 'compared with'],
      [
        ...first.map(({ size, first: cold, warm }) => [
          `first of a process at ${count(size)}`,
          both(cold),
          `${both(warm)} (the next ones)`,
        ]),
        [`1,500 characters at ${count(long.size)}`, both(long.ours), `${both(long.raw)} (raw FTS5)`],
      ],
    ),
  ];
}

const both = ({ p50, p95 }: Timing): string => `${plain(p50)} / ${plain(p95)}`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
