import { expect, it } from 'vitest';
import { comparedFile, onlyAlike } from '../../../src/server/code/most-alike';

const words = (count: number, word: string): string => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');
const OLD = words(20, 'old');
/** A text of twenty words, of which these many are those of the old one. */
const sharing = (count: number): string => `${words(count, 'old')} ${words(20 - count, 'new')}`.trim();
/** @returns the number of the only one of these texts, each a function, that is like the old one */
const became = (old: string, texts: readonly string[]): number | undefined => {
  const candidates = texts.map((_, i) => functionAt(`f${i}`, i + 1));
  const found = onlyAlike(
    { name: 'f', text: old, level: 0 },
    candidates,
    comparedFile({ text: texts.join('\n'), symbols: candidates }),
  );
  return found && candidates.indexOf(found);
};
const functionAt = (name: string, start_line: number, end_line = start_line) => ({
  ...{ file_path: 'a.py', code_type: 'function', hash: name, name, start_line, end_line },
});

it('a text became the only one that has 60 % of its words in common with it', () => {
  expect(became(OLD, [sharing(11), sharing(12)])).toBe(1);
  expect(became(OLD, [sharing(11), sharing(0)])).toBeUndefined();
  expect(became(OLD, [sharing(12), sharing(20)])).toBeUndefined();
});

it('a word that is written several times counts as often as both have it', () => {
  expect(became('a '.repeat(20), ['a '.repeat(40)])).toBe(0);
  expect(became('a '.repeat(20), ['a '.repeat(50)])).toBeUndefined();
});

it('a text of fewer than twelve words, or of more than 200,000 characters, is like no other', () => {
  expect(became(words(12, 'old'), [words(12, 'old')])).toBe(0);
  expect(became(words(11, 'old'), [words(11, 'old')])).toBeUndefined();
  const long = 'a '.repeat(100_000);
  expect(became(long, [long])).toBe(0);
  expect(became(`${long}a`, [`${long}a`])).toBeUndefined();
  expect(became(OLD, [`${long}a`])).toBeUndefined();
});

it('of functions that hold each other it is the one as far inside, else the one most alike; beside another one it is none', () => {
  const nameOf = (level: number, ...candidates: ReturnType<typeof functionAt>[]): string | undefined =>
    onlyAlike(
      { name: 'f', text: `def f( ${words(20, 'old')} )`, level },
      candidates,
      comparedFile({ text: ['def g(', `def h( ${words(20, 'old')} )`, ')'].join('\n'), symbols: candidates }),
    )?.name;
  const [outer, inner] = [functionAt('g', 1, 3), functionAt('g.h', 2)];
  expect(nameOf(0, outer, inner)).toBe('g');
  expect(nameOf(1, outer, inner)).toBe('g.h');
  expect(nameOf(2, outer, inner)).toBe('g.h');
  expect(nameOf(0, outer, inner, functionAt('i', 2))).toBeUndefined();
  expect(nameOf(1, outer, inner, functionAt('g.i', 2))).toBeUndefined();
  // What was put on a function elsewhere has its name before its own, and is not inside.
  expect(nameOf(0, functionAt('g', 1, 2), functionAt('g.i', 2, 3))).toBeUndefined();
});

it('of several it is the only one in its class, or in the function around it', () => {
  const nameOf = (name: string, ...names: string[]): string | undefined => {
    const candidates = names.map((one, i) => functionAt(one, i + 1));
    const text = names.map(() => OLD).join('\n');
    return onlyAlike({ name, text: OLD, level: 0 }, candidates, comparedFile({ text, symbols: candidates }))?.name;
  };
  expect(nameOf('Repo.load', 'Cache.read', 'Repo.read')).toBe('Repo.read');
  expect(nameOf('Repo.load', 'Cache.read', 'Repo.read', 'Repo.fetch')).toBeUndefined();
  expect(nameOf('load', 'Cache.read', 'read')).toBeUndefined();
});

it('one in its class is none where another one is far more alike, and is it beside one that is far less', () => {
  const nameOf = (shared: Readonly<Record<string, number>>): string | undefined => {
    const candidates = Object.keys(shared).map((one, i) => functionAt(one, i + 1));
    const text = Object.values(shared).map(sharing).join('\n');
    return onlyAlike({ name: 'Api.load', text: OLD, level: 0 }, candidates, comparedFile({ text, symbols: candidates }))
      ?.name;
  };
  expect(nameOf({ 'Users.user': 19, 'Api.orders': 13 })).toBeUndefined();
  expect(nameOf({ 'Users.user': 19, 'Api.orders': 18 })).toBe('Api.orders');
  expect(nameOf({ 'Users.user': 19, 'Api.orders': 19, 'Api.items': 13 })).toBe('Api.orders');
});

it('the words of a symbol are counted once, whatever they are compared with', () => {
  const [symbol] = [functionAt('f', 1)];
  const file = comparedFile({ text: OLD, symbols: [symbol] });
  expect(onlyAlike({ name: 'f', text: OLD, level: 0 }, [symbol], file)).toBe(symbol);
  expect(file.wordsOf(symbol)).toMatchObject({ all: 20 });
  expect(file.wordsOf(symbol)).toBe(file.wordsOf(symbol));
});
