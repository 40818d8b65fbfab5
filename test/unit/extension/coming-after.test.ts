import { expect, it } from 'vitest';
import { comingAfter } from '../../../src/extension/features/review/coming-after';

const ORDER = ['a', 'b', 'c', 'd'];

it('goes on behind the one that is shown, then begins again, and leaves out what was seen', () => {
  expect(comingAfter(ORDER, undefined, new Set())).toEqual(ORDER);
  expect(comingAfter(ORDER, 'b', new Set())).toEqual(['c', 'd', 'a']);
  expect(comingAfter(ORDER, 'b', new Set(['b', 'c']))).toEqual(['d', 'a']);
  expect(comingAfter(ORDER, 'd', new Set(['a', 'b', 'c', 'd']))).toEqual([]);
  // It is in the list no more.
  expect(comingAfter(ORDER, 'x', new Set(['a']))).toEqual(['b', 'c', 'd']);
});
