import { expect, test } from 'vitest';
import { reportProgress } from '../../../src/server/mcp/progress';

function recorder() {
  const clock = { now: 0 };
  const sent: (readonly [number, number])[] = [];
  const progress = reportProgress(
    async (done, total) => {
      sent.push([done, total]);
    },
    () => clock.now,
  );
  return { clock, sent, progress };
}

test('steps are told at most ten times a second, and the last one always', async () => {
  const { clock, sent, progress } = recorder();
  for (let done = 1; done <= 100; done++) {
    clock.now += 10;
    progress.report(done, 100);
  }
  await progress.finish();
  expect(sent.length).toBeLessThanOrEqual(11);
  expect(sent.at(-1)).toEqual([100, 100]);
});

test('steps only go up', async () => {
  const { clock, sent, progress } = recorder();
  for (const done of [5, 3, 5, 8]) {
    clock.now += 1_000;
    progress.report(done, 10);
  }
  await progress.finish();
  expect(sent).toEqual([
    [5, 10],
    [8, 10],
  ]);
});

test('finishing without a step sends nothing', async () => {
  const { sent, progress } = recorder();
  await progress.finish();
  expect(sent).toEqual([]);
});

test('a client that no longer listens is no error', async () => {
  const progress = reportProgress(() => Promise.reject(new Error('gone')));
  progress.report(1, 2);
  await expect(progress.finish()).resolves.toBeUndefined();
});
