import { describe, expect, test } from 'vitest';
import { HOUR_MS, timestamp } from '../../../src/server/base/clock';
import { consolidate } from '../../../src/server/memory/consolidation/consolidate';
import { nearDuplicates } from '../../../src/server/memory/consolidation/near-duplicates';
import { type MemoryTest, withMemory } from '../../support/memory';

interface Stored {
  readonly content: string;
  readonly kind?: string;
  readonly entities?: readonly string[];
  readonly valid_from?: string;
}

async function store(memory: MemoryTest, ...memories: readonly (string | Stored)[]): Promise<string[]> {
  const ids: string[] = [];
  for (const each of memories) {
    const { content, kind = 'fact', ...rest } = typeof each === 'string' ? { content: each } : each;
    // What has a date is stored, also when it is there.
    const dated = { content, kind, valid_from: timestamp(memory.memory.clock()), ...rest };
    ids.push((await memory.ok<{ node_id: string }>('memory_store', dated)).node_id);
    memory.later(1000);
  }
  return ids;
}

const DEFAULT_NS = 1;
const pairsOf = async ({ memory }: MemoryTest) =>
  (await nearDuplicates(memory, DEFAULT_NS)).map(({ newer, older }) => [newer.id, older.id]);

const LONG =
  'The ingest worker reads every message from the queue, checks its signature against the tenant key and writes the result into the ledger table before it answers';

describe('near-duplicates', () => {
  test.each([
    ['the same words', 'We use SQLite for storage', 'We use SQLite for storage'],
    ['another order, case and punctuation', 'For storage we use SQLite', 'we use: sqlite, for storage!'],
    ['other forms of the words', 'The worker retries failed jobs', 'the workers retry failing jobs'],
    ['one word of twenty more', LONG, `${LONG} politely`],
    ['a number in words', 'It retries three times', 'It retries 3 times'],
    ['a contraction', "It does not retry and doesn't wait", "It doesn't retry and does not wait"],
    ['a unit in another place', 'Minutes of meetings are kept', 'Kept are minutes of meetings'],
    ['an unspaced script', '我们使用这个数据库', '我们使用这个数据库。'],
    ['nothing but signs', '!!! ???', '!!! ???'],
  ])('are statements with %s', (_, older, newer) =>
    withMemory(async (memory) => {
      const [first, second] = await store(memory, older, newer);
      expect(await pairsOf(memory)).toEqual([[second, first]]);
    }),
  );

  test('are as similar as the share of their words that both have', () =>
    withMemory(async (memory) => {
      const words = Array.from('abcdefghijklmnopqrs', (letter) => `${letter}word`).join(' ');
      await store(memory, `${words} apple`, `${words} pear`);
      expect(await nearDuplicates(memory.memory, DEFAULT_NS)).toMatchObject([{ similarity: 19 / 21 }]);
    }));

  test.each([
    ['another number', `${LONG} in 3 steps`, `${LONG} in 4 steps`],
    ['another number in words', `${LONG} in three steps`, `${LONG} in four steps`],
    ['another unit', `${LONG} after 5 ms`, `${LONG} after 5 s`],
    ['a number more', `${LONG} on node`, `${LONG} on node 20`],
    ['another version', `${LONG} on 1.2.3`, `${LONG} on 1.2.4`],
    ['numbers the other way round', 'from 3 to 5 workers', 'from 5 to 3 workers'],
    ['a negation', `${LONG} and is cached`, `${LONG} and is not cached`],
    ['a negation by contraction', `${LONG} and does cache`, `${LONG} and doesn't cache`],
    ['a negation by prefix', `${LONG} which is stable`, `${LONG} which is unstable`],
    ['the opposite', `${LONG} when enabled`, `${LONG} when disabled`],
    ['the other side', `${LONG} and then start`, `${LONG} and then stop`],
    ['too many other words', 'We use SQLite for storage', 'We use Postgres for storage'],
    [
      'two other words of ten',
      'red green blue black white grey brown pink gold lime',
      'red green blue black white grey brown pink teal cyan',
    ],
    ['other signs', '!!! ???', '??? !!!'],
  ])('are not statements with %s', (_, older, newer) =>
    withMemory(async (memory) => {
      await store(memory, older, newer);
      expect(await pairsOf(memory)).toEqual([]);
    }),
  );

  test('need the same kind, the same entities and the same namespace', () =>
    withMemory(async (memory) => {
      const content = 'The cache is warm';
      await store(
        memory,
        { content, entities: ['Redis', 'Cache'] },
        { content, entities: ['Redis'] },
        { content, kind: 'decision', entities: ['Redis'] },
        { content, entities: [] },
      );
      await memory.ok('memory_store', { content, kind: 'fact', namespace: 'work' });
      expect(await pairsOf(memory)).toEqual([]);
      const [again] = await store(memory, { content, entities: ['cache', 'REDIS'], valid_from: '2026-04-02' });
      expect(await pairsOf(memory)).toEqual([]);
      await memory.ok('memory_switch_namespace', { namespace: 'default' });
      const [there] = await store(memory, { content, entities: ['cache', 'REDIS'] });
      expect((await pairsOf(memory)).map(([newer]) => newer)).toEqual([there]);
      expect(again).not.toBe(there);
    }));

  test('are ordered by when they became true, then by when they were stored', () =>
    withMemory(async (memory) => {
      const content = 'The port is open';
      const [march, january, february] = await store(
        memory,
        { content, valid_from: '2026-03-01' },
        { content, valid_from: '2026-01-01' },
        { content, valid_from: '2026-02-01' },
      );
      expect(await pairsOf(memory)).toEqual([
        [march, january],
        [march, february],
      ]);
    }));

  test('leave out what is closed or forgotten', () =>
    withMemory(async (memory) => {
      const [forgotten, refuted] = await store(memory, 'The sky is blue', 'The sky is blue', 'The sky is blue');
      await memory.ok('memory_forget', { node_id: forgotten });
      await memory.ok('memory_verify', { node_id: refuted, status: 'refute' });
      expect(await pairsOf(memory)).toEqual([]);
    }));
});

describe('consolidate', () => {
  const contents = (memory: MemoryTest) =>
    memory.memory.sql.all<{ id: string; valid_until: string | null }>(
      `SELECT id, valid_until FROM mem_nodes WHERE kind = 'fact' ORDER BY seq`,
    );

  test('closes the older by the newer, deletes nothing, and reports what it closed', () =>
    withMemory(async (memory) => {
      const [older, newer] = await store(memory, 'The worker retries failed jobs', 'The workers retry failed jobs');
      await memory.ok('memory_end_session', { summary: 'Retries looked at' });
      const report = await consolidate(memory.project);
      expect(report).toEqual({
        dry_run: false,
        namespaces: [
          {
            namespace: 'default',
            merged: [],
            in_files: [],
            closed: [
              {
                newer: { id: newer, content: 'The workers retry failed jobs' },
                older: { id: older, content: 'The worker retries failed jobs' },
                similarity: 1,
              },
            ],
          },
        ],
        sessions: [],
        jobs: { done: 1, failed: 0 },
        problems: [],
      });
      expect(await contents(memory)).toEqual([
        { id: older, valid_until: '2026-03-31T12:00:01.000Z' },
        { id: newer, valid_until: null },
      ]);
      expect(await memory.text('memory_timeline', { topic: 'worker' })).toContain(`[superseded by ${newer}]`);
      const recalled = await memory.text('memory_recall', { query: 'worker' });
      expect(recalled).toContain(newer);
      expect(recalled).not.toContain(older);
      expect(await consolidate(memory.project)).toMatchObject({
        namespaces: [{ closed: [], merged: [] }],
        jobs: { done: 0 },
      });
    }));

  test('a dry run writes nothing and reports the same', () =>
    withMemory(async (memory) => {
      await store(
        memory,
        { content: 'It is quick', entities: ['AuthService'] },
        { content: 'it is quick.', entities: ['auth-service'] },
        { content: 'It is small', entities: ['auth-service'] },
      );
      await memory.ok('memory_end_session', { summary: 'Looked at speed' });
      const before = await memory.memory.sql.all('SELECT * FROM mem_nodes, mem_jobs ORDER BY seq');
      const dry = await consolidate(memory.project, { dryRun: true });
      expect(await memory.memory.sql.all('SELECT * FROM mem_nodes, mem_jobs ORDER BY seq')).toEqual(before);
      expect(dry.dry_run).toBe(true);
      expect(dry.namespaces).toMatchObject([{ merged: [{}], closed: [{}] }]);
      expect(await consolidate(memory.project)).toEqual({ ...dry, dry_run: false });
    }));

  test('looks at the active namespace when no job waits, or at everything when asked', () =>
    withMemory(async (memory) => {
      await store(memory, 'The port is open', 'The port is open');
      const active = { namespaces: [{ namespace: 'default', closed: [{}] }], unasked: 'default', jobs: { done: 0 } };
      await memory.ok('memory_switch_namespace', { namespace: 'other' });
      await store(memory, 'The port is shut');
      const other = { namespaces: [{ namespace: 'other', closed: [] }], unasked: 'other', jobs: { done: 0 } };
      expect(await consolidate(memory.project, { dryRun: true })).toMatchObject(other);
      await memory.ok('memory_switch_namespace', { namespace: 'default' });
      expect(await consolidate(memory.project, { dryRun: true })).toMatchObject(active);
      const all = await consolidate(memory.project, { everything: true, dryRun: true });
      expect(all.namespaces).toMatchObject([{ closed: [{}] }, { namespace: 'other', closed: [] }]);
      expect(all.unasked).toBeUndefined();
      expect(await consolidate(memory.project)).toMatchObject(active);
      expect(await consolidate(memory.project, { everything: true })).toMatchObject({
        namespaces: [{ closed: [] }, { closed: [] }],
        jobs: { done: 2 },
      });
    }));

  test('many copies are closed by the newest one', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_import', {
        nodes: Array.from({ length: 3000 }, (_, i) => ({
          content: 'The same thing again',
          kind: 'fact',
          valid_from: new Date(Date.UTC(2026, 0, 1) + i * HOUR_MS).toISOString(),
          id: `f_n${i}`,
        })),
      });
      const report = await consolidate(memory.project, { everything: true });
      const closed = report.namespaces[0]?.closed ?? [];
      expect(closed).toHaveLength(2999);
      expect(new Set(closed.map(({ newer }) => newer.id))).toEqual(new Set(['f_n2999']));
      const open = (await contents(memory)).filter(({ valid_until }) => valid_until === null);
      expect(open.map(({ id }) => id)).toEqual(['f_n2999']);
    }));

  test('gets the reasons of the one that it closes, unless it is a person’s', () =>
    withMemory(async (memory) => {
      const reasons = { rationale: 'It needs no server', alternatives_rejected: ['Postgres'] };
      const decide = async (by: MemoryTest, content: string, more = {}): Promise<string> => {
        memory.later(1000);
        const at = { valid_from: timestamp(memory.memory.clock()) };
        return (await by.ok<{ node_id: string }>('memory_store', { content, kind: 'decision', ...at, ...more }))
          .node_id;
      };
      const person = await memory.another({ by: 'person' });
      await decide(memory, 'We use SQLite for storage', reasons);
      const newer = await decide(memory, 'For storage we use SQLite');
      await decide(person, LONG, reasons);
      const own = await decide(person, `${LONG} politely`);
      await consolidate(memory.project, { everything: true });
      expect(await memory.ok('node', { id: newer })).toMatchObject(reasons);
      expect(await memory.ok('memory_why', { decision_ref: newer })).toMatchObject({ items: [reasons] });
      expect(await memory.ok('node', { id: own })).toMatchObject({ rationale: null, supersedes: [{}] });
    }));
});
