import { describe, expect, it } from 'vitest';
import { inquire } from '../../src/server/memory/recall/inquire';
import { type MemoryTest, NOON, withMemory } from '../support/memory';

const DAY = 86_400_000;

/** Imports facts that belong to no session, each a week after the one before: only their entities bind them. */
async function facts(
  test: MemoryTest,
  nodes: readonly { readonly content: string; readonly [field: string]: unknown }[],
) {
  const { errors } = await test.ok<{ errors: unknown[] }>('memory_import', {
    nodes: nodes.map((node, i) => ({
      kind: 'fact',
      id: `f_${i}`,
      session_id: null,
      valid_from: daysAgo(7 * (nodes.length - i)),
      ...node,
    })),
  });
  expect(errors).toEqual([]);
}

const daysAgo = (days: number): string => new Date(NOON - days * DAY).toISOString();

/** The facts that were recalled, best first. */
const recalled = async ({ text }: MemoryTest, query: string, more: object = {}): Promise<string[]> =>
  [
    ...(await text('memory_recall', { query, kinds: ['fact'], budget_tokens: 20_000, ...more })).matchAll(
      /^- \[.* — (.*)$/gm,
    ),
  ].map(([, content]) => content ?? '');

describe('of two that match alike', () => {
  const alike = { content: 'cache size', valid_from: daysAgo(10) };

  it('the one that holds the question word, too, comes first', () =>
    withMemory(async (test) => {
      await facts(test, [{ content: 'cache before noon' }, { content: 'cache around noon' }]);
      const found = await recalled(test, 'cache before', { hops: 0 });
      expect(found).toEqual(['cache before noon', 'cache around noon']);
    }));

  it.each([
    ['when did the deploy happen', 'deploy happened on monday', 'deploy happened on paper'],
    ['how many workers run', 'workers run seven threads', 'workers run quick threads'],
  ])('the one that holds what "%s" asks for comes first', (question, answer, other) =>
    withMemory(async (test) => {
      await facts(test, [{ content: answer }, { content: other }]);
      expect(await recalled(test, question, { hops: 0 })).toEqual([answer, other]);
    }),
  );

  it('twelve question words count', () =>
    withMemory(async (test) => {
      await facts(test, [{ content: 'cache' }]);
      const query = 'cache a about after again all also always am an and any are as at';
      const { terms } = await inquire(
        test.memory,
        { query, namespace: undefined, as_of: undefined, min_confidence: 0, kinds: [] },
        10,
      );
      expect(terms).toHaveLength(1 + 12);
    }));

  it('the newer one comes first, then the one stored later', () =>
    withMemory(async (test) => {
      await facts(test, [
        { content: 'cache size a', valid_from: daysAgo(1) },
        { content: 'cache size b', valid_from: daysAgo(30) },
        { content: 'cache size c', valid_from: daysAgo(30) },
      ]);
      expect(await recalled(test, 'cache size', { hops: 0 })).toEqual(['cache size a', 'cache size c', 'cache size b']);
    }));

  it('the one that was used comes first', () =>
    withMemory(async (test) => {
      await facts(test, [
        { ...alike, content: 'cache size a' },
        { ...alike, content: 'cache size b' },
      ]);
      expect(await recalled(test, 'cache size', { hops: 0 })).toEqual(['cache size b', 'cache size a']);
      await test.project.uses.flush();
      await recalled(test, 'a', { hops: 0 });
      await test.project.uses.flush();
      expect(await recalled(test, 'cache size', { hops: 0 })).toEqual(['cache size a', 'cache size b']);
    }));

  it('the one with more entities comes first', () =>
    withMemory(async (test) => {
      await facts(test, [
        { ...alike, content: 'cache size a', entities: ['One', 'Two'] },
        { ...alike, content: 'cache size b', entities: ['One'] },
        { ...alike, content: 'cache size c' },
      ]);
      expect(await recalled(test, 'cache size', { hops: 0 })).toEqual(['cache size a', 'cache size b', 'cache size c']);
    }));

  it('more than eight entities are no more than eight', () =>
    withMemory(async (test) => {
      const entities = Array.from({ length: 9 }, (_, i) => `Part ${i}`);
      await facts(test, [
        { ...alike, content: 'cache size a', entities },
        { ...alike, content: 'cache size b', entities: entities.slice(0, 8) },
        { ...alike, content: 'cache size c', entities: entities.slice(0, 7) },
      ]);
      expect(await recalled(test, 'cache size', { hops: 0 })).toEqual(['cache size b', 'cache size a', 'cache size c']);
    }));

  it('nothing of this together weighs more than 9 %: a better match stays before', () =>
    withMemory(async (test) => {
      await facts(test, [
        { content: 'cache alpha cache beta gamma delta' },
        // A match that is better by 9.2 %: BM25 of six words against ten.
        { content: 'cache one two three four five', valid_from: daysAgo(3_000) },
        {
          content: 'cache six seven eight nine ten eleven twelve thirteen fourteen',
          valid_from: daysAgo(0),
          entities: Array.from({ length: 12 }, (_, i) => `Part ${i}`),
        },
      ]);
      for (let i = 0; i < 50; i++) await recalled(test, 'fourteen', { hops: 0 });
      await test.project.uses.flush();
      expect((await recalled(test, 'cache', { hops: 0 })).map((content) => content.split(' ')[1])).toEqual([
        'alpha',
        'one',
        'six',
      ]);
    }));
});

describe('in a store of thousands', () => {
  /** `plain` in all of them, `owing` in 30, `zebra` in 10; the question words `why` in 150, `between` in 350. */
  const wordsOf = (i: number): string =>
    [
      'plain',
      `n${i}`,
      i % 140 === 0 ? 'owing' : '',
      i % 420 === 1 ? 'zebra' : '',
      i % 28 === 2 ? 'why' : '',
      i % 12 === 3 ? 'between' : '',
    ]
      .filter((word) => word !== '')
      .join(' ');

  it('common words are searched for where rarer ones find little, question words where they are rare', () =>
    withMemory(async (test) => {
      await facts(
        test,
        Array.from({ length: 4_200 }, (_, i) => ({ content: wordsOf(i), valid_from: daysAgo(1) })),
      );
      const found = (query: string) => recalled(test, query, { hops: 0 });
      const holding = (contents: readonly string[], word: string) =>
        contents.filter((content) => content.split(' ').includes(word)).length;

      // Thirty are enough; ten are not, so that the newest that hold the common word come behind them.
      expect(await found('plain owing')).toHaveLength(30);
      const few = await found('plain zebra');
      expect(holding(few.slice(0, 10), 'zebra')).toBe(10);
      expect(few.length).toBeGreaterThan(50);
      expect(few.at(10)).toBe('plain n4199');

      expect(holding(await found('why zebra'), 'why')).toBeGreaterThan(20);
      expect(await found('between zebra')).toHaveLength(10);
      // With three rare words of content no question word is searched for.
      expect(await found('why zebra owing n7')).toHaveLength(10 + 30 + 1);
      // Of what holds the common word alone no more than is asked for.
      const plain = { query: 'plain zebra', namespace: undefined, as_of: undefined, min_confidence: 0, kinds: [] };
      expect((await inquire(test.memory, plain, 15)).found).toHaveLength(10 + 15);
      // A question word that is searched for is no tie-breaker beside that.
      const { terms } = await inquire(test.memory, { ...plain, query: 'why zebra' }, 15);
      expect(terms.map(({ word }) => word).sort()).toEqual(['why', 'zebra']);
      // Nothing else finds anything.
      expect(holding(await found('between unknown'), 'between')).toBeGreaterThan(50);
    }));
});
