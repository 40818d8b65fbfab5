import { describe, expect, it } from 'vitest';
import { LEASE_MS } from '../../src/server/memory/sessions/leases';
import { chooseSession } from '../../src/server/project/choose-session';
import { remindOfSession } from '../../src/server/project/remind-of-session';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact } from '../support/review';

const FAR = { pid: 7, host: 'elsewhere' };

/** Names of the sessions that somebody holds, as every process sees them. */
async function held({ ok }: MemoryTest): Promise<string[]> {
  const all = await ok<{ content: string; holder: { alive: boolean } | null }[]>('sessions', { all_namespaces: true });
  return all.filter(({ holder }) => holder?.alive).map(({ content }) => content);
}
const start = async ({ ok }: MemoryTest, name: string, more: object = {}): Promise<string> =>
  (await ok<{ session_id: string }>('memory_start_session', { name, ...more })).session_id;

describe('a session belongs to its holder', () => {
  it('for fifteen minutes from each of its writes, wherever somebody looks from', () =>
    withMemory(async (test) => {
      const far = await test.another(FAR);
      await start(far, 'far');
      test.later(LEASE_MS - 1);
      expect([await held(test), await held(far)]).toEqual([['far'], ['far']]);
      await storeFact(far, 'x');
      test.later(LEASE_MS - 1);
      expect(await held(test)).toEqual(['far']);
      test.later(1);
      expect([await held(test), await held(far)]).toEqual([[], []]);
    }));

  it('again after the machine slept, with its next write', () =>
    withMemory(async (test) => {
      const session_id = await start(test, 'mine');
      test.later(10 * LEASE_MS);
      expect(await held(test)).toEqual([]);
      await test.ok('memory_import', { nodes: [{ content: 'x', kind: 'fact' }] });
      expect(await held(test)).toEqual(['mine']);
      expect(await test.ok('memory_list_sessions')).toMatchObject([{ id: session_id, node_count: 1 }]);
    }));

  it('and to nobody by the writes of others', () =>
    withMemory(async (test) => {
      const session_id = await start(test, 'mine');
      test.later(LEASE_MS);
      for (const other of [{ pid: 4711 }, { host: 'elsewhere' }]) {
        const another = await test.another(other);
        await storeFact(another, 'x', { session_id });
        await another.project.close();
      }
      expect(await held(test)).toEqual([]);
      await storeFact(test, 'x');
      await storeFact(await test.another(FAR), 'x', { session_id });
      expect(await held(test)).toContain('mine');
    }));

  it('as long as it is open', () =>
    withMemory(async (test) => {
      await start(test, 'mine');
      const far = await test.another(FAR);
      const session_id = await start(far, 'far');
      await test.ok('memory_end_session', { summary: 'Done.' });
      expect(await held(test)).toEqual(['far']);
      await test.ok('memory_clear_session', { session_id });
      expect(await held(test)).toEqual([]);
    }));

  it('until its project is closed, which changes no lease of others', () =>
    withMemory(async (test) => {
      await start(test, 'mine');
      const far = await test.another(FAR);
      await start(far, 'far, left', { namespace: 'other' });
      await start(far, 'far', { namespace: 'third' });
      await far.project.close();
      // What was left for another namespace is held until its lease ends.
      expect((await held(test)).sort()).toEqual(['far, left', 'mine']);
      expect(await test.project.store.all('SELECT count(*) AS n FROM mem_nodes WHERE valid_until IS NULL')).toEqual([
        { n: 3 },
      ]);
    }));
});

describe('what a process takes for its own, where a store has several people, is of the same one', () => {
  it('the operation that undo takes back', () =>
    withMemory(
      async (test) => {
        const other = await test.another({ principal: 2 });
        const mine = await storeFact(test, 'mine');
        const theirs = await storeFact(other, 'theirs');
        expect(await test.ok('undo')).toMatchObject({ forgotten_ids: [mine] });
        expect(await test.refused('undo')).toMatch(/^not_found: /);
        expect(await (await test.another()).refused('undo')).toMatch(/^not_found: /);
        expect(await other.ok('undo')).toMatchObject({ forgotten_ids: [theirs] });
      },
      { principal: 1 },
    ));

  it('the session that a command goes on with, and the one that a hook reminds of', () =>
    withMemory(async (test) => {
      const other = await test.another({ principal: 2 });
      const theirs = await start(other, 'theirs');
      await storeFact(other, 'x');
      await chooseSession(test.project, 'test', undefined);
      expect(test.memory.scope.session).toBeUndefined();
      expect(await remindOfSession(test.project)).toBeUndefined();
      const again = await test.another({ principal: 2 });
      await chooseSession(again.project, 'test', undefined);
      expect(again.memory.scope.session?.id).toBe(theirs);
      expect(await remindOfSession(again.project)).toBe(theirs);
    }));
});
