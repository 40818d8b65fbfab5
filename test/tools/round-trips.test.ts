import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '../../src/server/db/driver';
import { EngineConnection } from '../../src/server/engine/connection';
import { testCode } from '../support/code-index';
import { type MemoryTest, ON_FILE, withMemory } from '../support/memory';

// A second after a write the store brings its log into the file, on a slow machine within the call that is counted.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const FACT = { content: 'The cache of the server is cold', kind: 'fact', entities: ['Cache', 'Server'] };

/** What the store is asked by. */
const COUNTED = (ON_FILE ? Connection : EngineConnection).prototype;

/** Round trips of one call: statements, and batches of them; those that open and end its transaction included. */
async function statementsOf({ ok, project }: MemoryTest, name: string, input: object): Promise<number> {
  // The copy of the day is made beside the calls before, and notes that it is done.
  await project.backups?.finish();
  const all = vi.spyOn(COUNTED, 'all');
  const run = vi.spyOn(COUNTED, 'run');
  const batch = vi.spyOn(COUNTED, 'batch');
  await ok(name, input);
  // The store looks once a second whose file it is, on its own account.
  const asked = all.mock.calls.filter(([sql]) => !sql.includes('AS id FROM mem_flags'));
  const statements = asked.length + run.mock.calls.length + batch.mock.calls.length;
  vi.restoreAllMocks();
  return statements;
}

describe('the statements that a call takes', () => {
  it.each([
    ['memory_store', { content: 'x', kind: 'fact' }, 8],
    ['memory_store', FACT, 9],
    ['memory_store', { ...FACT, namespace: 'default', entities: ['Cache', 'a new one'] }, 10],
    ['memory_store', { ...FACT, namespace: 'new', entities: ['Cache', 'a new one'] }, 11],
    ['memory_recall', { query: 'cold cache of the server in march', hops: 0 }, 3],
    ['memory_recall', { query: 'cold cache of the server' }, 5],
    ['memory_recall', { query: 'cold cache of the server in march' }, 5],
    ['memory_recall', { query: 'cold cache of the server in march and in 2025', hops: 2 }, 6],
    ['memory_recall', { query: 'project context' }, 2],
    ['memory_about', { entity: 'cache' }, 3],
    ['memory_timeline', { topic: 'cold cache' }, 6],
    ['memory_why', { decision_ref: 'cold cache' }, 14],
    ['memory_start_session', { name: 'x', namespace: 'default' }, 10],
    ['memory_end_session', { summary: 'x' }, 17],
    ['memory_verify_staleness', {}, 6],
    ['memory_stats', {}, 6],
  ])('by %s %j are few, however much is stored', (name, input, most) =>
    withMemory(async (test) => {
      for (let i = 0; i < 40; i++) await test.ok('memory_store', { ...FACT, content: `cache fact ${i}` });
      expect(await statementsOf(test, name, input)).toBeLessThanOrEqual(most);
    }),
  );

  it('by a recall are few for memories without a session, too', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 40 }, (_, i) => ({ ...FACT, content: `cache fact ${i}` }));
      await test.ok('memory_import', { nodes });
      // As the export of another program brings them.
      await test.project.store.transact((sql) => sql.run('UPDATE mem_nodes SET session = NULL, episode = NULL'));
      expect(await statementsOf(test, 'memory_recall', { query: 'cold cache', hops: 2 })).toBeLessThanOrEqual(6);
    }));

  it('by undoing a supersession are few, and no more for one that changed many memories', () =>
    withMemory(async (test) => {
      const stored: string[] = [];
      for (let i = 0; i < 9; i++) {
        const { node_id } = await test.ok<{ node_id: string }>('memory_store', { ...FACT, content: `cache fact ${i}` });
        stored.push(node_id);
      }
      await test.ok('memory_store', { ...FACT, supersedes: stored[0] });
      expect(await statementsOf(test, 'undo', {})).toBeLessThanOrEqual(13);
      await test.ok('memory_forget', { entity: 'Cache' });
      expect(await statementsOf(test, 'undo', {})).toBeLessThanOrEqual(13);
    }));

  it('by a purge are few: everything that hangs on the memories goes in one batch', () =>
    withMemory(async (test) => {
      const { node_id } = await test.ok<{ node_id: string }>('memory_store', FACT);
      await test.ok('memory_store', { ...FACT, content: 'Another' });
      expect(await statementsOf(test, 'memory_forget', { node_id, purge: true })).toBeLessThanOrEqual(21);
    }));

  it('by the longest memory_store are few: a named namespace, a new session and entity, a link to code, one superseded', () => {
    const code = testCode();
    code.write('src/cache.ts', 0, [{ name: 'Cache', text: 'class', from: 1, to: 9, type: 'class' }]);
    return withMemory(
      async (test) => {
        const { node_id } = await test.ok<{ node_id: string }>('memory_store', FACT);
        // The first write of a day on a store that holds something makes a backup.
        await test.ok('memory_store', { ...FACT, content: 'Another' });
        const longest = { ...FACT, namespace: 'default', entities: ['Cache', 'a new one'], supersedes: node_id };
        expect(await statementsOf(test, 'memory_store', longest)).toBeLessThanOrEqual(14);
        const links = await test.project.store.all('SELECT node FROM mem_links');
        expect(links).toHaveLength(3);
        // What it is about is read as well.
        const other = await test.ok<{ node_id: string }>('memory_store', { ...FACT, content: 'One more' });
        const unnamed = { content: 'The same in other words', kind: 'fact', supersedes: other.node_id };
        expect(await statementsOf(test, 'memory_store', unnamed)).toBeLessThanOrEqual(14);
      },
      { code },
    );
  });
});
