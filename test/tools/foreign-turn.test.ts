import { describe, expect, it } from 'vitest';
import { withMemory } from '../support/memory';
import { twoFunctions } from '../support/review';

const FOREIGN = 'Foreign text (a web page, an issue, a file of a dependency) was read since the user spoke last';
const REFUSED = `unavailable: ${FOREIGN}`;

describe('an agent that has read foreign text', () => {
  it('closes and forgets nothing that stands, and is told to propose what is right', () =>
    withMemory(async (test) => {
      const { node_id } = await test.ok<{ node_id: string }>('memory_store', {
        content: 'Tokens are checked on every request',
        kind: 'decision',
        entities: ['auth'],
      });
      const [session] = await test.ok<{ id: string }[]>('memory_list_sessions');
      const keeping = () => ({ proposed: true, marked: true });
      const marked = await test.another({ keeping, code: twoFunctions() });
      for (const [tool, input] of [
        ['memory_verify', { node_id, status: 'refute' }],
        ['memory_verify', { node_id, status: 'confirm' }],
        ['memory_forget', { node_id }],
        ['memory_forget', { entity: 'auth', purge: true }],
        ['memory_forget', { before: '2030-01-01' }],
        ['memory_clear_session', { session_id: session?.id }],
        ['settle', { node_id, action: 'forget' }],
        ['settle', { node_id, action: 'dismiss' }],
        ['link', { node_id, code: 'alpha()' }],
      ] as const) {
        expect(await marked.refused(tool, input)).toContain(REFUSED);
      }
      const { node_id: newer } = await marked.ok<{ node_id: string }>('memory_store', {
        content: 'Tokens are never checked',
        kind: 'decision',
        supersedes: node_id,
      });
      expect(await marked.refused('settle', { node_id, action: 'merge', other_id: newer })).toContain(REFUSED);
      expect(await test.ok('node', { id: node_id })).toMatchObject({ valid_until: null, tombstoned: 0, confidence: 1 });
    }));

  it('undoes and brings back nothing but its own proposals', () =>
    withMemory(async (test) => {
      const marked = await test.another({ keeping: () => ({ proposed: true, marked: true }) });
      const person = await test.another({ by: 'person' });
      const store = async (by: typeof test, content: string, more = {}): Promise<string> =>
        (await by.ok<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more })).node_id;
      const state = (id: string) => test.ok('node', { id });
      const [wrong, gone, plain, kept, dropped] = [
        await store(test, 'Wrong'),
        await store(test, 'Gone'),
        await store(test, 'Ports are opened by the proxy alone'),
        await store(marked, 'Kept'),
        await store(marked, 'Dropped'),
      ];
      const [one, other] = [await store(test, 'Logs are kept a week'), await store(test, 'Logs stay for seven days')];
      const done: [string, () => Promise<unknown>][] = [
        [wrong, () => person.ok('memory_verify', { node_id: wrong, status: 'refute' })],
        [gone, () => person.ok('memory_forget', { node_id: gone })],
        [plain, () => store(test, 'Ports are opened by the proxy alone', { rationale: 'One place to look' })],
        [kept, () => person.ok('settle', { node_id: kept, action: 'keep' })],
        [dropped, () => person.ok('settle', { node_id: dropped, action: 'drop' })],
        [other, () => person.ok('settle', { node_id: one, action: 'merge', other_id: other })],
      ];
      for (const [id, act] of done) {
        const before = await state(id);
        await act();
        const after = await state(id);
        expect(after).not.toEqual(before);
        const last = await test.memory.sql.get<{ id: number }>('SELECT max(id) AS id FROM mem_operations');
        expect(await marked.refused('undo', { operation: last?.id })).toContain(FOREIGN);
        expect(await state(id)).toEqual(after);
        await person.ok('undo', { operation: last?.id });
        expect(await state(id)).toEqual(before);
      }
      await person.ok('memory_forget', { node_id: gone });
      expect(await marked.refused('restore', { node_id: gone })).toContain(FOREIGN);
      const own = await store(marked, 'Proposed just now');
      expect(await marked.ok('undo')).toMatchObject({ forgotten_ids: [own] });
    }));

  it('takes back what it proposed itself; a person, and an agent after its user spoke, close what they like', () =>
    withMemory(async (test) => {
      const keeping = { proposed: true, marked: true };
      const agent = await test.another({ keeping: () => keeping });
      const proposed = await agent.ok<{ node_id: string }>('memory_store', { content: 'One', kind: 'fact' });
      await agent.ok('memory_verify', { node_id: proposed.node_id, status: 'refute' });
      const store = async (content: string): Promise<string> =>
        (await test.ok<{ node_id: string }>('memory_store', { content, kind: 'fact' })).node_id;
      const person = await test.another({ by: 'person', keeping: () => keeping });
      await person.ok('memory_verify', { node_id: await store('Two'), status: 'refute' });
      await test.ok('memory_forget', { node_id: await store('Three') });
    }));
});
