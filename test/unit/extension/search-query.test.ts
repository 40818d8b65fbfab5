import { expect, test } from 'vitest';
import { asksMemories, readQuery } from '../../../src/extension/features/search-query';

const GERMAN = { decision: 'Entscheidung', fact: 'Fakt', entity: 'Entität', session: 'Sitzung' };

test('words, kinds, a file and a symbol are told apart, wherever they stand', () => {
  expect(readQuery('body :dec @response  one #send', {})).toEqual({
    kinds: ['decision'],
    entities: false,
    sessions: false,
    file: 'response',
    symbol: 'send',
    letters: 'body one',
  });
});

test('a kind, a file and a symbol may be named as other searches have it', () => {
  const signs = readQuery('body :decision @response #send', {});
  expect(readQuery('body kind:decision File:response symbol:send', {})).toEqual(signs);
  expect(readQuery('body :decisions @response #send', {})).toEqual(signs);
  expect(readQuery('kind: profile:x', {}).letters).toBe('profile:x');
});

test('what means none of them is a word, and a mark alone is not there yet', () => {
  expect(readQuery('std::move :nothing mail@example.org C#', {}).letters).toBe(
    'std::move :nothing mail@example.org C#',
  );
  expect(readQuery('body : @ #', {})).toMatchObject({ letters: 'body', entities: true, sessions: true });
});

test('kinds may be named in English and in the language of the editor', () => {
  expect(readQuery(':ENT', GERMAN)).toMatchObject({ kinds: ['decision'], entities: true });
  expect(readQuery(':fact :sitz', GERMAN)).toMatchObject({ kinds: ['fact'], sessions: true, entities: false });
});

test('memories are asked for unless entities or sessions alone are', () => {
  const asks = (text: string): boolean => asksMemories(readQuery(text, {}));
  for (const text of ['', 'body', ':decision', ':decision :entity', '@file', ':session @file']) {
    expect(asks(text), text).toBe(true);
  }
  for (const text of [':entity', ':session body']) expect(asks(text), text).toBe(false);
});
