import { expect, it } from 'vitest';
import { isTooLong } from '../../../src/server/memory/limits';

it('a memory is too long from 100,000 bytes on, whatever its characters', () => {
  expect(isTooLong('x'.repeat(100_000))).toBe(false);
  expect(isTooLong('x'.repeat(100_001))).toBe(true);
  expect(isTooLong('漢'.repeat(33_333))).toBe(false);
  expect(isTooLong('漢'.repeat(33_334))).toBe(true);
});
