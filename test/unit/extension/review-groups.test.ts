import { describe, expect, test } from 'vitest';
import {
  duplicateGroups,
  matches,
  nearGroups,
  passes,
  worstOfEach,
} from '../../../src/extension/features/side-bar/review-groups';
import type { NearDuplicatePair, ReviewEntry } from '../../../src/protocol/tool-values';

const memory = (id: string, day: number) => ({ id, content: id, valid_from: `2026-03-0${day}T00:00:00.000Z` });
const pair = (newer: ReturnType<typeof memory>, older: ReturnType<typeof memory>): NearDuplicatePair => ({
  namespace: 'default',
  kind: 'fact',
  similarity: 1,
  newer,
  older,
});
const ids = (pairs: readonly NearDuplicatePair[]) =>
  duplicateGroups(pairs).map(({ newest, older }) => [newest.id, ...older.map(({ id }) => id)]);

describe('near-duplicates', () => {
  const [a, b, c, d, e] = [memory('a', 5), memory('b', 4), memory('c', 3), memory('d', 2), memory('e', 1)] as const;

  test('that share a memory are one group, the newest first', () => {
    expect(ids([pair(b, c), pair(a, c)])).toEqual([['a', 'b', 'c']]);
  });

  test('of two groups that a later pair joins are one', () => {
    expect(ids([pair(a, b), pair(c, d), pair(b, c)])).toEqual([['a', 'b', 'c', 'd']]);
  });

  test('that have nothing in common stay apart', () => {
    expect(ids([pair(a, b), pair(d, e)])).toEqual([
      ['a', 'b'],
      ['d', 'e'],
    ]);
    expect(ids([])).toEqual([]);
  });

  test('that only say nearly the same are no group with what is near another one of them', () => {
    const groups = nearGroups([pair(a, c), pair(b, d), pair(a, b)]);
    expect(groups.map(({ newest, older }) => [newest.id, ...older.map(({ id }) => id)])).toEqual([
      ['a', 'c', 'b'],
      ['b', 'd'],
    ]);
  });
});

describe('the memories that wait for review', () => {
  const entry = (id: number, node: string, verdict: ReviewEntry['verdict']): ReviewEntry => ({
    id,
    namespace: 'default',
    node: {
      ...{ id: node, kind: 'fact', content: node, confidence: 1, recorded_at: '', valid_from: '' },
      ...{ valid_until: null, tombstoned: 0, standing: 'stored', session_id: null },
    },
    reason: 'stale',
    verdict,
    queued_at: '',
    was: { file_path: 'a.ts', code_type: 'function', name: 'f' },
    linked_at: '',
    now: null,
    change: '',
  });

  test('are listed once each, by the worst that became of their code', () => {
    const entries = [
      entry(1, 'x', 'changed'),
      entry(2, 'y', 'changed'),
      entry(3, 'x', 'gone'),
      entry(4, 'x', 'changed'),
    ];
    expect(worstOfEach(entries).map(({ id }) => id)).toEqual([3, 2]);
  });

  test('come before those about a whole file, which is changed each day', () => {
    const whole = (one: ReviewEntry): ReviewEntry => ({
      ...one,
      was: { file_path: 'src/a.ts', code_type: 'file', name: 'a.ts' },
    });
    const entries = [whole(entry(1, 'x', 'changed')), entry(2, 'y', 'changed'), whole(entry(3, 'y', 'changed'))];
    expect(worstOfEach(entries).map(({ id }) => id)).toEqual([2, 1]);
    expect(worstOfEach(entries.toReversed()).map(({ id }) => id)).toEqual([2, 1]);
  });

  test('are found by their kind and their code, as in the other views', () => {
    const item = { kind: 'decision', ids: ['d_one', 'd_two'], texts: ['Wrapping works on words'] };
    const asked = (filter: object, onCode?: ReadonlySet<string>): boolean =>
      passes({ kinds: [], letters: '', ...filter }, onCode, item);
    expect(asked({})).toBe(true);
    expect([asked({ kinds: ['decision'] }), asked({ kinds: ['fact'] })]).toEqual([true, false]);
    expect([asked({}, new Set(['d_two'])), asked({}, new Set(['d_three'])), asked({}, new Set())]).toEqual([
      ...[true, false, false],
    ]);
    expect([asked({ letters: 'words' }), asked({ letters: 'D_two' }), asked({ letters: 'graphemes' })]).toEqual([
      ...[true, true, false],
    ]);
  });

  test('are found by words in any order and case', () => {
    expect(matches('STORE  sql', 'SQLite', 'the store')).toBe(true);
    expect(matches('store mongo', 'SQLite', 'the store')).toBe(false);
    expect(matches('', 'anything')).toBe(true);
  });
});
