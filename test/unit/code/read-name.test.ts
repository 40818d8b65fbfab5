import { expect, it } from 'vitest';
import { asPath } from '../../../src/server/code/read-name';

it('a text is a path up to 1,000 characters', () => {
  const longest = `${'a'.repeat(997)}.ts`;
  expect(asPath(longest)).toBe(longest);
  expect(asPath(`a${longest}`)).toBeUndefined();
  expect(asPath(`${'a'.repeat(1_500)}.ts`)).toBeUndefined();
});
