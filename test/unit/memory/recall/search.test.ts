import { expect, it } from 'vitest';
import type { Reader } from '../../../../src/server/db/sql';
import { type Mask, search } from '../../../../src/server/memory/recall/search';
import { memoriesOnReached } from '../../../../src/server/memory/recall/through-documents';
import { type MemoryTest, NOON, withMemory } from '../../../support/memory';

const AT = new Date(NOON).toISOString();
const MASK: Mask = { ns: 1, asOf: AT, ahead: AT, minConfidence: 0, kinds: [], closed: false, forgotten: false };

/** What the full-text index is asked for, of words that this number of memories hold. */
async function asked(...frequencies: readonly number[]): Promise<unknown> {
  const terms = frequencies.map((frequency, i) => {
    const word = 'abcdef'.charAt(i);
    return { word, stem: word, weight: 1, frequency, longer: [], known: [] };
  });
  let match: unknown;
  const sql: Reader = {
    all: async () => [],
    get: async (_, parameters) => {
      match ??= parameters?.match;
      return undefined;
    },
  };
  await search(sql, MASK, { terms, periods: [], size: 100_000, shared: 0 }, 10);
  return match;
}

it('at most 4,000 memories are ranked: a word that would bring more only raises those of rarer ones', async () => {
  expect(await asked(1_500, 2_500)).toBe('"a" OR "b"');
  expect(await asked(1_500, 2_501)).toBe('(("a") AND ("a" OR "b"))');
  expect(await asked(1_000, 2_000, 2_000)).toBe('(("a" OR "b") AND ("a" OR "b" OR "c"))');
});

it('of two layers each gives its share of the hits, and the store all of them where nothing can be shared', async () => {
  const limits = async (ns: number, shared: number): Promise<unknown> => {
    let given: Readonly<Record<string, unknown>> | undefined;
    const sql: Reader = {
      layers: ['main', 'shared'],
      all: async () => [],
      get: async (_, parameters) => {
        given ??= parameters;
        return undefined;
      },
    };
    const terms = [{ word: 'a', stem: 'a', weight: 1, frequency: 1, longer: [], known: [] }];
    await search(sql, { ...MASK, ns }, { terms, periods: [], size: 100, shared }, 80);
    return { own: given?.own, shared: given?.shared };
  };
  expect(await limits(1, 50)).toEqual({ own: 60, shared: 60 });
  expect(await limits(1, 99)).toEqual({ own: 40, shared: 80 });
  expect(await limits(2, 99)).toMatchObject({ own: 80 });
});

it('documents lead to no more than 32 memories, those of the best section', () =>
  withMemory(async (test: MemoryTest) => {
    const on = (name: string) => ({ file_path: 'src/a.ts', code_type: 'function', name, hash: name });
    const nodes = Array.from({ length: 40 }, (_, i) => ({
      ...{ kind: 'fact', content: `n${i}`, touches: [on(i < 30 ? 'open' : 'close')] },
    }));
    const { errors } = await test.ok<{ errors: unknown[] }>('memory_import', { nodes });
    expect(errors).toEqual([]);
    const reached = [
      { ...on('open'), relevance: 0.5 },
      { ...on('close'), relevance: 1 },
    ];
    const found = [...(await memoriesOnReached(test.memory.sql, MASK, reached)).values()];
    expect(found).toHaveLength(32);
    expect(found.filter((relevance) => relevance === 1)).toHaveLength(10);
  }));
