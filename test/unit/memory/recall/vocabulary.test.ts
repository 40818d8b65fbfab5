import { expect, it } from 'vitest';
import type { Reader } from '../../../../src/server/db/sql';
import { newVocabulary, surveyStore, type Vocabulary } from '../../../../src/server/memory/recall/vocabulary';

interface Words {
  readonly size: number;
  readonly counted: Readonly<Record<string, number>>;
  /** Longer words than the first that is asked for. */
  readonly longer?: readonly (readonly [term: string, frequency: number])[];
}

/** A full-text index that holds these words. */
function indexOf({ size, counted, longer = [] }: Words): Reader {
  return {
    all: async () => [],
    get: async <Row>(_: string, { open } = {} as Readonly<Record<string, unknown>>) => {
      const asked = JSON.parse(String(open)) as string[];
      return {
        ...{ ns: 1, size, counted: JSON.stringify(Object.entries(counted).filter(([word]) => asked.includes(word))) },
        longer: JSON.stringify(longer.map((one) => [0, ...one])),
      } as Row;
    },
  };
}

async function survey(words: Words, vocabulary: Vocabulary, ...asked: string[]): Promise<[string, number][]> {
  const terms = asked.map((word) => ({ word, stem: word, weight: 1 }));
  const found = await surveyStore({ sql: indexOf(words), vocabulary }, 'default', terms);
  return found.terms.map(({ word, frequency }) => [word, frequency]);
}

it('a word that the store does not know is left out', async () => {
  expect(await survey({ size: 10, counted: { cache: 2 } }, newVocabulary(), 'cache', 'zebra')).toEqual([['cache', 2]]);
});

it('common words are counted again when the store is a tenth larger', async () => {
  const vocabulary = newVocabulary();
  const now = (size: number, cache: number) => survey({ size, counted: { cache } }, vocabulary, 'cache');
  expect(await now(10_000, 5_000)).toEqual([['cache', 5_000]]);
  expect(await now(11_000, 5_500)).toEqual([['cache', 5_000]]);
  expect(await now(11_001, 5_501)).toEqual([['cache', 5_501]]);
});

it('of the longer words that begin with a word, the twelve most frequent count', async () => {
  const longer = Array.from({ length: 14 }, (_, i) => [`cache${i}`, i + 1] as const);
  const sql = indexOf({ size: 100, counted: {}, longer });
  const terms = [{ word: 'cache', stem: 'cache', weight: 1 }];
  const found = await surveyStore({ sql, vocabulary: newVocabulary() }, 'default', terms);
  const frequencies = found.terms[0]?.longer.map(({ frequency }) => frequency);
  expect(frequencies).toEqual(Array.from({ length: 12 }, (_, i) => 14 - i));
});
