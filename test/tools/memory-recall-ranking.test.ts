import { describe, expect, it } from 'vitest';
import { type MemoryTest, NOON, withMemory } from '../support/memory';

const DAY = 86_400_000;
const MINUTE = 60_000;

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

describe('what neighbours hand on', () => {
  it('adds up to little where the hits answer all of the question', () =>
    withMemory(async (test) => {
      const entities = ['One', 'Two', 'Three', 'Four', 'Five'];
      await facts(test, [
        ...entities.map((entity) => ({ content: 'cache size', entities: [entity] })),
        { content: 'cache size of the shop, which nobody measured so far', confidence: 0.9 },
        { content: 'Nothing of the question', entities },
      ]);
      expect(await recalled(test, 'cache size')).toEqual([
        ...entities.map(() => 'cache size'),
        'cache size of the shop, which nobody measured so far',
        'Nothing of the question',
      ]);
    }));

  it('comes over an entity of up to 24 memories, and over none that has more', () =>
    withMemory(async (test) => {
      const about = (entity: string, hit: string, count: number) =>
        Array.from({ length: count }, (_, i) => ({ content: i === 0 ? hit : `${entity} ${i}`, entities: [entity] }));
      const nodes = [...about('Hall', 'The router restarts', 24), ...about('Yard', 'The platform falls', 25)];
      await facts(test, nodes);
      expect(await recalled(test, 'router restarts')).toHaveLength(24);
      expect(await recalled(test, 'platform falls')).toEqual(['The platform falls']);
    }));

  it('is less the more memories share the entity', () =>
    withMemory(async (test) => {
      await facts(test, [
        { content: 'Quiet', entities: ['Calm'] },
        { content: 'Busy one', entities: ['Busy'] },
        { content: 'Busy two', entities: ['Busy'] },
        { content: 'The failover took long', entities: ['Busy', 'Calm'] },
      ]);
      expect((await recalled(test, 'failover')).slice(0, 2)).toEqual(['The failover took long', 'Quiet']);
    }));

  it('reaches no memory of the same session that became true hours before', () =>
    withMemory(async (test) => {
      const store = (content: string, valid_from: string) =>
        test.ok('memory_store', { content, kind: 'fact', valid_from });
      await store('The cache is cold', '2026-03-01T10:00:00Z');
      await store('Alpha', '2026-03-01T06:00:00Z');
      expect(await recalled(test, 'cold cache')).toEqual(['The cache is cold']);
      // An hour back is the same episode.
      await store('Omega', '2026-03-01T05:00:00Z');
      expect((await recalled(test, 'alpha')).sort()).toEqual(['Alpha', 'Omega']);
    }));

  it('reaches the nearest memories without a session, half an hour before and after', () =>
    withMemory(async (test) => {
      const at = (minutes: number) => new Date(NOON - DAY + minutes * MINUTE).toISOString();
      await facts(test, [
        { content: 'A little before', valid_from: at(-30) },
        { content: 'The cache is cold', valid_from: at(0) },
        { content: 'A little after', valid_from: at(30) },
        { content: 'The queue is full', valid_from: at(61) },
        { content: 'Much later', valid_from: at(92) },
      ]);
      expect((await recalled(test, 'cold cache')).sort()).toEqual([
        'A little after',
        'A little before',
        'The cache is cold',
      ]);
      expect(await recalled(test, 'full queue')).toEqual(['The queue is full']);
      expect(await recalled(test, 'cold cache', { hops: 0 })).toEqual(['The cache is cold']);
    }));

  it('comes from a superseded memory to what holds now, over the whole chain', () =>
    withMemory(async (test) => {
      await facts(test, [
        { content: 'The queue is RabbitMQ' },
        { content: 'Kafka', supersedes: 'f_0' },
        { content: 'Redis', supersedes: 'f_1' },
        { content: 'NATS', supersedes: 'f_2' },
        { content: 'Unrelated' },
      ]);
      expect(await recalled(test, 'RabbitMQ')).toEqual(['NATS']);
    }));
});

describe('trust in neighbours', () => {
  const beside = (turns: readonly string[], others: readonly string[]) => [
    ...turns.map((content, i) => ({
      content,
      session_id: 's_talk',
      valid_from: new Date(NOON - DAY + i).toISOString(),
    })),
    ...others.map((content) => ({ content })),
  ];
  const talk = async (test: MemoryTest, turns: readonly string[], others: readonly string[]): Promise<void> => {
    const { errors } = await test.ok<{ errors: unknown[] }>('memory_import', {
      nodes: [
        { id: 's_talk', kind: 'session', content: 'Talk' },
        ...beside(turns, others).map((node, i) => ({
          ...{ kind: 'fact', id: `f_${i}`, session_id: null, valid_from: daysAgo(7 * (i + 2)) },
          ...node,
        })),
      ],
    });
    expect(errors).toEqual([]);
  };
  const filler = Array.from({ length: 30 }, (_, i) => `Nothing of this kind ${i}`);

  it('is high where one memory alone holds the words: what was said after it comes before a weaker hit', () =>
    withMemory(async (test) => {
      await talk(
        test,
        ['Who broke the staging certificate?', 'It was Paula'],
        ['A certificate of swimming', ...filler],
      );
      expect((await recalled(test, 'broke staging certificate')).slice(0, 3)).toEqual([
        'Who broke the staging certificate?',
        'It was Paula',
        'A certificate of swimming',
      ]);
    }));

  it('is low where five memories hold the words: what was said after one of them comes last', () =>
    withMemory(async (test) => {
      const hits = Array.from({ length: 5 }, (_, i) => `We broke the staging certificate ${i}`);
      await talk(
        test,
        ['Who broke the staging certificate?', 'It was Paula'],
        [...hits, 'A certificate of swimming', ...filler],
      );
      const found = await recalled(test, 'broke staging certificate');
      expect(found.indexOf('It was Paula')).toBeGreaterThan(found.indexOf('A certificate of swimming'));
    }));

  it('is low where memories are long', () =>
    withMemory(async (test) => {
      const long = (text: string) => `${text} ${'and so on '.repeat(60).trim()}`;
      await talk(
        test,
        [long('Who broke the staging certificate?'), 'It was Paula'],
        [long('A certificate of swimming'), ...filler],
      );
      const found = await recalled(test, 'broke staging certificate');
      expect(found.map((content) => content.slice(0, 12))).toEqual(['Who broke th', 'A certificat', 'It was Paula']);
    }));

  it('reaches the fourth memory before and after in an episode, the nearest first, and no farther', () =>
    withMemory(async (test) => {
      const turns = Array.from({ length: 11 }, (_, i) =>
        i === 5 ? 'Who broke the staging certificate?' : `Turn ${i}`,
      );
      await talk(test, turns, filler);
      const found = await recalled(test, 'broke staging certificate');
      expect(found.slice(1).map((content) => Math.abs(Number(content.split(' ')[1]) - 5))).toEqual([
        1, 1, 2, 2, 3, 3, 4, 4,
      ]);
    }));
});

describe('an entity that the question names', () => {
  it.each(['Lena Brandt', 'LB'])('raises what is about it before what holds more of the words (%s)', (name) =>
    withMemory(async (test) => {
      await facts(test, [
        { content: `The late payout of the queue, and ${name}` },
        { content: 'The queue was late with that payout' },
        { content: 'That payout', entities: ['Lena Brandt'] },
        ...Array.from({ length: 30 }, (_, i) => ({ content: `Nothing of this kind ${i}` })),
      ]);
      await test.ok('memory_import', { nodes: [{ kind: 'entity', content: 'Lena Brandt', aliases: ['LB'] }] });
      expect((await recalled(test, `${name}'s late payout queue?`)).slice(0, 2)).toEqual([
        `The late payout of the queue, and ${name}`,
        'That payout',
      ]);
    }),
  );
});

describe('a long question', () => {
  it('means what it says several times more than what it says once', () =>
    withMemory(async (test) => {
      await facts(test, [{ content: 'The parser stops' }, { content: 'The queue stops' }]);
      const found = await recalled(test, 'queue: the parser reads, the parser waits, the parser ends', { hops: 0 });
      expect(found[0]).toBe('The parser stops');
    }));
});

describe('a hit', () => {
  it('is found behind hundreds of better ones that are closed', () =>
    withMemory(async (test) => {
      await facts(test, [
        ...Array.from({ length: 300 }, (_, i) => ({ content: `cache ${i}`, valid_until: daysAgo(1) })),
        { content: 'The cache of the shop is the only one that is left of all these' },
      ]);
      expect(await recalled(test, 'cache', { hops: 0, budget_tokens: 500 })).toEqual([
        'The cache of the shop is the only one that is left of all these',
      ]);
    }));

  it('that is best stays the first, whatever others inherit', () =>
    withMemory(async (test) => {
      await facts(test, [
        { content: 'cache size limits', valid_from: daysAgo(900) },
        { content: 'cache size', entities: ['One', 'Two'] },
        { content: 'cache size', entities: ['One', 'Two'] },
        { content: 'cache size', entities: ['One', 'Two'] },
      ]);
      const others = ['cache size', 'cache size', 'cache size'];
      expect(await recalled(test, 'cache size limits')).toEqual(['cache size limits', ...others]);
    }));
});

describe('a date in the question', () => {
  it('brings what became valid then to the front, behind what matches best', () =>
    withMemory(async (test) => {
      await facts(test, [
        { content: 'cache size policy limits', valid_from: '2024-05-01' },
        { content: 'cache size policy', valid_from: '2026-02-01' },
        { content: 'cache size policy', valid_from: '2026-02-02' },
        { content: 'cache size policy', valid_from: '2026-03-02' },
        ...Array.from({ length: 40 }, (_, i) => ({ content: `filler ${i}`, valid_from: '2025-01-01' })),
      ]);
      const { items } = await test.ok<{ items: { content: string; valid_from: string }[] }>('memory_recall', {
        ...{ query: 'cache size policy limits in February 2026', hops: 0, budget_tokens: 20_000 },
      });
      expect(items.map(({ content, valid_from }) => `${content} ${valid_from.slice(0, 10)}`)).toEqual([
        'cache size policy limits 2024-05-01',
        'cache size policy 2026-02-02',
        'cache size policy 2026-02-01',
        'cache size policy 2026-03-02',
      ]);
    }));
});
