import { expect, it } from 'vitest';
import { onlyAlike } from '../../../src/server/code/most-alike';

const words = (count: number, word: string): string => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');
const OLD = words(20, 'old');
/** A text of twenty words, of which these many are those of the old one. */
const sharing = (count: number): string => `${words(count, 'old')} ${words(20 - count, 'new')}`.trim();

it('a text became the only one that has 60 % of its words in common with it', () => {
  expect(onlyAlike(OLD, [sharing(11), sharing(12)])).toBe(1);
  expect(onlyAlike(OLD, [sharing(11), sharing(0)])).toBeUndefined();
  expect(onlyAlike(OLD, [sharing(12), sharing(20)])).toBeUndefined();
});

it('a word that is written several times counts as often as both have it', () => {
  expect(onlyAlike('a '.repeat(20), ['a '.repeat(40)])).toBe(0);
  expect(onlyAlike('a '.repeat(20), ['a '.repeat(50)])).toBeUndefined();
});

it('a text of fewer than twelve words, or of more than 200,000 characters, is like no other', () => {
  expect(onlyAlike(words(12, 'old'), [words(12, 'old')])).toBe(0);
  expect(onlyAlike(words(11, 'old'), [words(11, 'old')])).toBeUndefined();
  const long = 'a '.repeat(100_000);
  expect(onlyAlike(long, [long])).toBe(0);
  expect(onlyAlike(`${long}a`, [`${long}a`])).toBeUndefined();
  expect(onlyAlike(OLD, [`${long}a`])).toBeUndefined();
});
