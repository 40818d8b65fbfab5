import { expect, it } from 'vitest';
import { nearest } from '../../../src/server/memory/nearest';

it('names that share too few pairs of letters are not near, and the nearest come first, three of them', () => {
  expect(nearest('storage', ['sternly', 'unlike'])).toEqual([]);
  expect(nearest('Payment Service', ['paper'])).toEqual([]);
  expect(nearest('storage', ['story', 'sternly', 'Storage', 'store', 'storages'])).toEqual([
    'Storage',
    'storages',
    'store',
  ]);
});
