import { describe, expect, it } from 'vitest';
import type { Undone } from '../../src/server/memory/history/undo';
import { type MemoryTest, withMemory } from '../support/memory';
import { LATER, stateOf, storeFact, twoFunctions } from '../support/review';

const OPEN = [0.7, 'open', 'there'];
const fact = (test: MemoryTest, content = 'The build takes nine minutes') =>
  storeFact(test, content, { confidence: 0.7 });
const undo = ({ ok }: MemoryTest, input: object = {}) => ok<Undone>('undo', input);

describe('undo', () => {
  it.each([
    ['a confirmation', 'memory_verify', (node_id: string) => ({ node_id, status: 'confirm' }), [0.8, 'open', 'there']],
    ['a refutation', 'memory_verify', (node_id: string) => ({ node_id, status: 'refute' }), [0.35, 'closed', 'there']],
    ['forgetting', 'memory_forget', (node_id: string) => ({ node_id }), [0.7, 'open', 'forgotten']],
    ['a store', 'memory_stats', () => ({}), OPEN],
  ])('takes back %s, and does it again when that is undone', (_, tool, input, after) =>
    withMemory(async (test) => {
      const node_id = await fact(test);
      await test.ok(tool, input(node_id));
      expect(await stateOf(test, node_id)).toEqual(after);
      const { operation, node_ids } = await undo(test);
      expect(node_ids).toEqual([node_id]);
      const before = tool === 'memory_stats' ? [0.7, 'open', 'forgotten'] : OPEN;
      expect(await stateOf(test, node_id)).toEqual(before);
      await undo(test, { operation });
      expect(await stateOf(test, node_id)).toEqual(after);
      await undo(test);
      expect(await stateOf(test, node_id)).toEqual(before);
    }),
  );

  it('answers with what was undone', () =>
    withMemory(async (test) => {
      const node_id = await fact(test);
      await test.ok('memory_forget', { node_id });
      expect(await test.text('undo')).toMatchInlineSnapshot(
        `"{"undone":2,"tool":"memory_forget","at":"2026-03-31T12:00:00.000Z","operation":3,"node_ids":["f_aaaaaaab"],"forgotten_ids":[]}"`,
      );
    }));

  it('takes back a supersession: the old one is open again, the new one forgotten, and nothing links them', () =>
    withMemory(async (test) => {
      const old = await fact(test);
      const fresh = await storeFact(test, 'The build takes two minutes', { supersedes: old });
      const undone = await undo(test);
      expect(undone).toMatchObject({ tool: 'memory_store', node_ids: [old, fresh], forgotten_ids: [fresh] });
      expect(await stateOf(test, old)).toEqual(OPEN);
      expect(await stateOf(test, fresh)).toEqual([1, 'open', 'forgotten']);
      expect(await test.text('memory_timeline', { topic: 'build' })).not.toContain('superseded by');
      const again = await undo(test, { operation: undone.operation });
      expect(again).toMatchObject({ forgotten_ids: [] });
      expect(await stateOf(test, old)).toEqual([0.7, 'closed', 'there']);
      expect(await test.text('memory_timeline', { topic: 'build' })).toContain(`[superseded by ${fresh}]`);
      // That takes back the same, and says the same.
      expect(await undo(test, { operation: again.operation })).toMatchObject({ forgotten_ids: [fresh] });
    }));

  it('takes back what was done again, links included, when that is undone by its number', () =>
    withMemory(async (test) => {
      const old = await fact(test);
      const fresh = await storeFact(test, 'The build takes two minutes', { supersedes: old });
      const undone = await undo(test);
      const redone = await undo(test, { operation: undone.operation });
      await undo(test, { operation: redone.operation });
      expect(await stateOf(test, old)).toEqual(OPEN);
      expect(await stateOf(test, fresh)).toEqual([1, 'open', 'forgotten']);
      expect(await test.text('memory_timeline', { topic: 'build' })).not.toContain('superseded by');
      expect(await test.refused('undo', { operation: 2 })).toMatch(
        /^conflict: Operation 2 was already undone\. .* 3\./,
      );
      expect(await undo(test)).toMatchObject({ undone: 1, forgotten_ids: [old] });
    }));

  it('takes back the clearing of a session with all that was in it', () =>
    withMemory(async (test) => {
      const { session_id } = await test.ok<{ session_id: string }>('memory_start_session', { name: 'Storage' });
      const ids = [await fact(test), await fact(test, 'The cache is cold')];
      const gone = await fact(test, 'Forgotten before');
      await test.ok('memory_forget', { node_id: gone });
      await test.ok('memory_clear_session', { session_id });
      expect((await undo(test)).node_ids).toEqual([session_id, ...ids]);
      for (const id of ids) expect(await stateOf(test, id)).toEqual(OPEN);
      expect(await stateOf(test, gone)).toEqual([0.7, 'open', 'forgotten']);
    }));

  it('opens an ended session again and takes its summary back', () =>
    withMemory(async (test) => {
      await fact(test);
      const ended = await test.ok<{ closed_session_id: string; outcome_id: string }>('memory_end_session', {
        summary: 'Done.',
      });
      expect((await undo(test)).forgotten_ids).toEqual([ended.outcome_id]);
      expect(await stateOf(test, ended.closed_session_id)).toEqual([1, 'open', 'there']);
      // And goes on with it.
      const again = await test.ok<{ closed_session_id: string }>('memory_end_session', { summary: 'Done at last.' });
      expect(again.closed_session_id).toBe(ended.closed_session_id);
    }));

  it('goes on with the reopened session in another process of the same client, but not in place of a newer one', () =>
    withMemory(async (test) => {
      await fact(test);
      const { closed_session_id } = await test.ok<{ closed_session_id: string }>('memory_end_session', {
        summary: 'Done.',
      });
      const later = await test.another({ client: 'test' });
      await undo(later);
      const current = async (): Promise<string[]> =>
        (await later.ok<{ id: string; current: boolean }[]>('sessions', {})).flatMap(({ id, current }) =>
          current ? [id] : [],
        );
      expect(await current()).toEqual([closed_session_id]);
      await later.ok('memory_end_session', { summary: 'Done.' });
      const { session_id } = await later.ok<{ session_id: string }>('memory_start_session', { name: 'Next' });
      const end = await later.ok<{ events: { operation: number; action: string }[] }>('history', {
        id: closed_session_id,
      });
      await later.ok('undo', { operation: end.events.at(-1)?.operation });
      expect(await current()).toEqual([session_id]);
    }));

  it('takes back an import as one, with the memories that it superseded; entities stay', () =>
    withMemory(async (test) => {
      const old = await fact(test);
      const { node_ids } = await test.ok<{ node_ids: string[] }>('memory_import', {
        nodes: [
          { content: 'One', kind: 'fact', entities: ['CI'] },
          { content: 'Two', kind: 'fact', supersedes: old },
        ],
      });
      expect(await stateOf(test, old)).toEqual([0.7, 'closed', 'there']);
      expect((await undo(test)).forgotten_ids).toEqual(node_ids);
      expect(await stateOf(test, old)).toEqual(OPEN);
      expect(await test.ok('entities')).toEqual([expect.objectContaining({ content: 'CI' })]);
      expect(await test.text('memory_recall', { query: 'one' })).not.toContain('One');
    }));

  it('keeps one row of an import, however large, and refuses to undo it once a memory of it was changed', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 3_000 }, (_, i) => ({ content: `Fact ${i}`, kind: 'fact' }));
      const { node_ids } = await test.ok<{ node_ids: string[] }>('memory_import', { nodes });
      const count = await test.memory.sql.get(
        'SELECT (SELECT count(*) FROM mem_operations) AS operations, (SELECT count(*) FROM mem_history) AS rows',
      );
      expect(count).toEqual({ operations: 1, rows: 0 });
      await test.ok('memory_verify', { node_id: node_ids[7], status: 'refute' });
      expect(await test.refused('undo', { operation: 1 })).toMatch(
        new RegExp(`^conflict: ${node_ids[7]} changed since operation 1 \\(memory_import, `),
      );
      await undo(test);
      expect((await undo(test)).forgotten_ids).toHaveLength(3_000);
    }));

  it('takes back what a consolidation closed', () =>
    withMemory(async (test) => {
      const { consolidate } = await import('../../src/server/memory/consolidation/consolidate');
      const old = await storeFact(test, 'CI runs on Node 24 with the cache');
      await storeFact(test, 'CI runs on Node 24, with the cache');
      await consolidate(test.project, { everything: true });
      expect(await stateOf(test, old)).toEqual([1, 'closed', 'there']);
      expect(await undo(test)).toMatchObject({ tool: 'svc-memory', node_ids: [old] });
      expect(await stateOf(test, old)).toEqual([1, 'open', 'there']);
    }));

  it('refuses to take back a memory that another one was closed for since: neither of them would hold', () =>
    withMemory(async (test) => {
      const { consolidate } = await import('../../src/server/memory/consolidation/consolidate');
      const old = await storeFact(test, 'CI runs on Node 24 with the cache');
      const kept = await storeFact(test, 'CI runs on Node 24, with the cache');
      await consolidate(test.project, { everything: true });
      expect(await test.refused('undo', { operation: 2 })).toContain(`conflict: ${old} changed since operation 2`);
      await undo(test);
      expect(await undo(test)).toMatchObject({ undone: 2, forgotten_ids: [kept] });
      expect(await stateOf(test, old)).toEqual([1, 'open', 'there']);
    }));

  it('gives a confirmed memory its doubts back: hashes and queue', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const node_id = await storeFact(test, 'alpha is slow', { entities: ['alpha'] });
        const touches = () =>
          test.memory.sql.all(
            'SELECT t.*, x.hash AS accepted FROM mem_links AS t LEFT JOIN mem_link_texts AS x ON x.link = t.id',
          );
        const queue = () => test.memory.sql.all('SELECT file_path, settled_at FROM mem_review_queue');
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 1, to: 9 }]);
        await test.ok('memory_verify_staleness');
        const before = [await touches(), await queue()];
        await test.ok('memory_verify', { node_id, status: 'confirm' });
        const after = [await touches(), await queue()];
        expect(after).not.toEqual(before);
        const { operation } = await undo(test);
        expect([await touches(), await queue()]).toEqual(before);
        await undo(test, { operation });
        expect([await touches(), await queue()]).toEqual(after);
      },
      { code },
    );
  });

  it('refuses when the node was changed since, and says by what to go on', () =>
    withMemory(async (test) => {
      const node_id = await fact(test);
      await test.ok('memory_verify', { node_id, status: 'confirm' });
      await test.ok('memory_verify', { node_id, status: 'confirm' });
      const refusal = await test.refused('undo', { operation: 2 });
      expect(refusal).toBe(
        `conflict: ${node_id} changed since operation 2 (memory_verify, 2026-03-31T12:00:00.000Z). Nothing was undone. See "history" of the memory, and undo the later operations first.`,
      );
      expect(await stateOf(test, node_id)).toEqual([0.9, 'open', 'there']);
      await undo(test);
      await undo(test);
      expect(await stateOf(test, node_id)).toEqual(OPEN);
      expect(await undo(test)).toMatchObject({ undone: 1, forgotten_ids: [node_id] });
    }));

  it('refuses what was undone, what was purged, what there is not, and numbers that are none', () =>
    withMemory(async (test) => {
      expect(await test.refused('undo')).toMatch(/^not_found: There is no operation here to undo\. /);
      const node_id = await fact(test);
      await test.ok('memory_forget', { node_id });
      await undo(test);
      expect(await test.refused('undo', { operation: 2 })).toMatch(
        /^conflict: Operation 2 was already undone\. .* 3\./,
      );
      await test.ok('memory_forget', { node_id, purge: true });
      expect(await test.refused('undo', { operation: 1 })).toMatch(/^conflict: Operation 1 can no longer be undone/);
      expect(await test.refused('undo', { operation: 99 })).toMatch(/^not_found: There is no operation 99 in this/);
      expect(await test.refused('undo', { operation: 0 })).toMatch(/^invalid_input: "operation" must be at least 1/);
    }));

  it('never takes a new memory for the purged one whose row number it got', () =>
    withMemory(async (test) => {
      const purged = await fact(test);
      await test.ok('memory_forget', { node_id: purged, purge: true });
      const next = await fact(test, 'Something else');
      expect(await test.refused('undo', { operation: 1 })).toMatch(/^conflict: Operation 1 can no longer be undone/);
      expect(await stateOf(test, next)).toEqual(OPEN);
      expect(await undo(test)).toMatchObject({ node_ids: [next] });
    }));

  it('takes back the last operation of its own process, and another process’s by number', () =>
    withMemory(async (test) => {
      const other = await test.another({ pid: 4242 });
      const mine = await fact(test);
      const theirs = await fact(other, 'Of the other');
      expect(await undo(test)).toMatchObject({ forgotten_ids: [mine] });
      expect(await stateOf(test, theirs)).toEqual(OPEN);
      expect(await undo(test, { operation: 2 })).toMatchObject({ forgotten_ids: [theirs] });
    }));

  it('goes on with what the same client did in processes that ended', () =>
    withMemory(async (test) => {
      const node_id = await fact(await test.another({ pid: 4242 }));
      await fact(await test.another({ pid: 4243, host: 'elsewhere' }), 'On another machine');
      expect(await undo(test)).toMatchObject({ forgotten_ids: [node_id] });
      expect(await test.refused('undo')).toMatch(/^not_found: /);
    }));

  it('of two processes at once succeeds in one', () =>
    withMemory(async (test) => {
      const node_id = await fact(test);
      await test.ok('memory_forget', { node_id });
      const other = await test.another();
      const answers = await Promise.all([test, other].map(({ call }) => call('undo', { operation: 2 })));
      expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
      expect(await stateOf(test, node_id)).toEqual(OPEN);
    }));

  it('stays in its namespace, and reaches another one by name without switching', () =>
    withMemory(async (test) => {
      const here = await fact(test);
      const there = await storeFact(await test.another({ namespace: 'other' }), 'There');
      expect(await test.refused('undo', { operation: 2 })).toMatch(/^not_found: /);
      expect(await undo(test, { namespace: 'other' })).toMatchObject({ forgotten_ids: [there] });
      expect(await undo(test)).toMatchObject({ forgotten_ids: [here] });
    }));
});
