import { describe, expect, it } from 'vitest';
import { testCode } from '../support/code-index';
import { type MemoryTest, withMemory } from '../support/memory';

interface Stored {
  readonly node_id: string;
  readonly similar?: readonly { readonly node_id: string; readonly relation: string }[];
}

const OTHERS = [
  'Backups run at night',
  'The parser is written by hand',
  'Reviews take a day',
  'Anna answers for releases',
];

const store = ({ ok }: MemoryTest, content: string, more: object = {}) =>
  ok<Stored>('memory_store', { content, kind: 'fact', ...more });

/** A store with a few memories of other things, and one of this text. */
const withOne = (content: string, work: (test: MemoryTest, id: string) => Promise<void>): Promise<void> =>
  withMemory(async (test) => {
    for (const other of OTHERS) await store(test, other);
    await work(test, (await store(test, content)).node_id);
  });

describe('a memory that is near one that is there', () => {
  it.each([
    ['a number', 'CI runs on Node 22 only', 'CI runs on Node 24 only'],
    ['a quoted word', "End all method names with '_md'", "From now on, please end your method names with '_x'"],
    [
      'a name of code',
      'Sessions are closed by closeSession in the server',
      'Sessions are closed by endSession in the server',
    ],
    ['a decorator', 'Add the @trace decorator to each class', 'Add the @timer decorator to each class'],
    [
      'a sentence among others',
      'Thanks. The cache holds 100 entries. Fine?',
      'It is settled: the cache holds 500 entries. More soon.',
    ],
  ])('differs in %s: it is told, and stored', (_, before, now) =>
    withOne(before, async (test, id) => {
      const { node_id, similar } = await store(test, now);
      expect(similar).toEqual([{ node_id: id, relation: 'near' }]);
      expect(node_id).not.toBe(id);
    }),
  );

  it.each([
    ['of another thing', 'The build of the site takes 9 minutes'],
    ['of one common word', 'Node 24 is out'],
    ['without a value', 'CI runs on Node, only'],
  ])('is none that says something %s', (_, now) =>
    withOne('CI runs on Node 22 only', async (test) => {
      expect(await store(test, now)).not.toHaveProperty('similar');
    }),
  );

  it.each([
    ['a number', 'Backups of the old pool were repaired in #1234', 'Backups of the old pool were repaired in #1301'],
    ['a key', 'PROJ-12 repaired the backups of the old pool', 'PROJ-31 repaired the backups of the old pool'],
  ])('is none that names another issue by %s', (_, before, now) =>
    withOne(before, async (test) => {
      expect(await store(test, now)).not.toHaveProperty('similar');
    }),
  );

  it('differs in what only looks like the key of an issue', () =>
    withOne('All text files of the project are UTF-8', async (test, id) => {
      const { similar } = await store(test, 'All text files of the project are UTF-16');
      expect(similar).toEqual([{ node_id: id, relation: 'near' }]);
    }));

  it('may be of another kind, but for what has happened', () =>
    withOne('CI runs on Node 22 only', async (test, id) => {
      const now = 'CI runs on Node 24 only';
      for (const kind of ['outcome', 'action']) expect(await store(test, now, { kind })).not.toHaveProperty('similar');
      expect(await store(test, now, { kind: 'preference' })).toMatchObject({ similar: [{ node_id: id }] });
    }));

  it('is not one that was closed or forgotten, one of another namespace, or the one that it supersedes', () =>
    withOne('CI runs on Node 22 only', async (test, id) => {
      expect(await store(test, 'CI runs on Node 23 only', { namespace: 'other' })).not.toHaveProperty('similar');
      const next = await store(test, 'CI runs on Node 24 only', { namespace: 'default', supersedes: id });
      expect(next).not.toHaveProperty('similar');
      await test.ok('memory_forget', { node_id: next.node_id });
      expect(await store(test, 'CI runs on Node 25 only')).not.toHaveProperty('similar');
    }));

  it('names three at most', () =>
    withOne('CI runs on Node 18 only', async (test) => {
      for (const version of [19, 20, 21]) await store(test, `CI runs on Node ${version} only`);
      expect((await store(test, 'CI runs on Node 22 only')).similar).toHaveLength(3);
    }));

  it.each([
    ['a quote', '"'],
    ['quotes', "'''"],
    ['a word of the full-text index', '`x` OR NOT 1'],
    ['a filter of the full-text index', '{words} : (1'],
    ['a number of another script', '😀 1 𝟙 二 ١'],
    ['one long name', 'a1_'.repeat(30_000)],
    ['many marks', `${'. '.repeat(40_000)}1`],
    ['many names', 'a_b c_d '.repeat(10_000)],
  ])('is looked for with %s as with any text', (_, text) =>
    withOne('CI runs on Node 22 only', async (test) => {
      expect((await store(test, text)).node_id).toMatch(/^f_/);
    }),
  );
});

const DECISION = { kind: 'decision', entities: ['store'] };

describe('a decision that is opposed to an open one', () => {
  it.each([
    ['chooses what that one rejected', { alternatives_rejected: ['Postgres, a server'] }, 'We move to Postgres', {}],
    ['rejects what that one chose', {}, 'We move to Postgres', { alternatives_rejected: ['SQLite'] }],
  ])('%s is told with "supersedes?"', (_, before, content, now) =>
    withMemory(async (test) => {
      const { node_id } = await store(test, 'Notes lie in SQLite', { ...DECISION, ...before });
      expect(await store(test, content, { ...DECISION, ...now })).toMatchObject({
        similar: [{ node_id, relation: 'supersedes?' }],
      });
    }),
  );

  it.each([
    ['is about something else', 'We move to Postgres', { entities: ['site'] }],
    ['is no decision', 'We move to Postgres', { kind: 'fact' }],
    ['names it only to turn it down', 'We stay with SQLite instead of Postgres', {}],
    ['rejects the same', 'Postgres is too much: SQLite stays', { alternatives_rejected: ['Postgres'] }],
  ])('is none that %s', (_, content, now) =>
    withMemory(async (test) => {
      await store(test, 'Notes lie in SQLite', { ...DECISION, alternatives_rejected: ['Postgres'] });
      expect(await store(test, content, { ...DECISION, ...now })).not.toHaveProperty('similar');
    }),
  );

  it('may name the same code in another way', () => {
    const code = testCode();
    code.write('src/store.ts', 0, [{ name: 'openStore', text: 'open', from: 1, to: 9 }]);
    return withMemory(
      async (test) => {
        const before = { kind: 'decision', entities: ['openStore'], alternatives_rejected: ['retrying'] };
        const { node_id } = await store(test, 'Opening fails at once', before);
        const now = await store(test, 'Opening is retrying for 5 s', { kind: 'decision', entities: ['openStore()'] });
        expect(now.similar).toEqual([{ node_id, relation: 'supersedes?' }]);
      },
      { code },
    );
  });
});
