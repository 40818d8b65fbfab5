import { describe, expect, test } from 'vitest';
import { momentAt, moved, piles, position, stacked, ticks, wholeRange, zoomed } from '../../../src/webview/time-axis';

const at = (text: string): number => Date.parse(text);
const range = (from: string, to: string) => ({ from: at(from), to: at(to) });
const labels = (from: string, to: string, width: number): string[] =>
  ticks(range(from, to), width, 'en').map(({ label }) => label);

describe('the axis of time', () => {
  test('has round ticks, as many as have room for their labels', () => {
    expect(labels('2026-01-15', '2026-06-15', 800)).toEqual([
      'Feb 2026',
      'Mar 2026',
      'Apr 2026',
      'May 2026',
      'Jun 2026',
    ]);
    expect(labels('2026-03-30', '2026-04-03', 500)).toEqual(['Mar 30, 2026', 'Mar 31', 'Apr 1', 'Apr 2', 'Apr 3']);
    expect(labels('2025-12-31', '2026-01-02', 200)).toEqual(['Dec 31, 2025', 'Jan 1, 2026', 'Jan 2']);
    expect(labels('2026-03-30T10:07:00Z', '2026-03-30T10:18:00Z', 300)).toEqual(['Mar 30, 10:10', '10:15']);
    expect(labels('2026-03-30T22:00:00Z', '2026-03-31T03:00:00Z', 600)).toEqual([
      ...['Mar 30, 22:00', '23:00', 'Mar 31, 00:00', '01:00', '02:00', '03:00'],
    ]);
    expect(labels('2001-06-01', '2026-06-01', 600)).toEqual(['2005', '2010', '2015', '2020', '2025']);
  });

  test.each([100, 400, 1_000, 3_000])(
    'never has more ticks than fit into %i pixels, however much time they stand for',
    (width) => {
      for (let span = 60_000; span < 1e13; span *= 2.3) {
        const from = at('2026-03-31T12:34:56.789Z');
        const found = ticks({ from, to: from + span }, width, 'en');
        expect(found.length).toBeLessThanOrEqual(width / 90 + 2);
        expect(found.every((tick, i) => tick.at >= from && tick.at > (found[i - 1]?.at ?? 0))).toBe(true);
      }
    },
  );

  test('keeps the moment under the pointer where it is when one looks closer', () => {
    const whole = range('2026-01-01', '2026-02-01');
    const pointer = at('2026-01-10');
    const closer = zoomed(whole, 0.5, pointer);
    expect(closer.to - closer.from).toBeCloseTo((whole.to - whole.from) / 2, -1);
    expect(position(closer, 1_000, pointer)).toBeCloseTo(position(whole, 1_000, pointer), 6);
    expect(momentAt(whole, 1_000, position(whole, 1_000, pointer))).toBeCloseTo(pointer, -1);
  });

  test('never looks closer than a minute, nor further than centuries', () => {
    const minute = zoomed(range('2026-01-01', '2026-01-02'), 1e-9);
    expect(minute.to - minute.from).toBeCloseTo(60_000, -1);
    const { from, to } = zoomed(range('2026-01-01', '2026-01-02'), 1e12);
    expect((to - from) / (365 * 86_400_000)).toBeLessThan(510);
  });

  test('moves by a share of what is seen', () => {
    expect(moved({ from: 0, to: 100 }, -0.25)).toEqual({ from: -25, to: 75 });
  });

  test('shows all with a little room, and a single moment in the middle of an hour', () => {
    const { from, to } = wholeRange(at('2026-01-01T12:00:00Z'), at('2026-01-01T12:00:00Z'));
    expect(to - from).toBeGreaterThan(3_600_000);
    expect((from + to) / 2).toBe(at('2026-01-01T12:00:00Z'));
    const days = wholeRange(at('2026-01-01'), at('2026-01-11'));
    expect(days.from).toBeLessThan(at('2026-01-01'));
    expect(days.to).toBeGreaterThan(at('2026-01-11'));
    expect(days.to - days.from).toBeLessThan(11 * 86_400_000);
  });

  test('puts marks that would cover each other above each other, as far as there are rows', () => {
    expect(stacked([0, 3, 6, 9, 30], 10, 3)).toEqual([0, 1, 2, 2, 0]);
    expect(stacked([], 10, 3)).toEqual([]);
  });

  test('says how many marks of the last row lie below the one on top', () => {
    const below = (xs: readonly number[]): number[] => piles(xs, 10, 3, stacked(xs, 10, 3));
    expect(below([0, 3, 6, 9, 30])).toEqual([0, 0, 0, 1, 0]);
    expect(below([5, 5, 5, 5, 5, 5, 40, 40, 40])).toEqual([0, 0, 0, 0, 0, 3, 0, 0, 0]);
    expect(below([])).toEqual([]);
  });
});
