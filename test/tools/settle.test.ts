import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/server/memory/consolidation/consolidate';
import type { Settled } from '../../src/server/memory/people/settle';
import type { TestCode } from '../support/code-index';
import { type MemoryTest, withMemory } from '../support/memory';
import { LATER, stateOf, storeFact, twoFunctions } from '../support/review';

const settle = ({ ok }: MemoryTest, input: object) => ok<Settled>('settle', input);

async function waiting({ ok }: MemoryTest, input: object = {}): Promise<number[]> {
  const { entries } = await ok<{ entries: { id: number }[] }>('review', { ...input, only: 'code' });
  return entries.map(({ id }) => id);
}

/** A memory on both functions, which are gone: entries 1 and 2. */
function withDoubts(work: (test: MemoryTest, node_id: string, code: TestCode) => Promise<void>): Promise<void> {
  const code = twoFunctions();
  return withMemory(
    async (test) => {
      const node_id = await storeFact(test, 'both are slow', { entities: ['alpha()', 'gamma()'], confidence: 0.7 });
      code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 1, to: 9 }]);
      code.write('b.ts', LATER, []);
      await test.ok('memory_verify_staleness');
      expect(await waiting(test)).toEqual([1, 2]);
      await work(test, node_id, code);
    },
    { code },
  );
}

describe('settle', () => {
  it.each([
    ['confirm', [0.8, 'open', 'there'], [1, 2]],
    ['refute', [0.35, 'closed', 'there'], [1, 2]],
    ['forget', [0.7, 'open', 'forgotten'], [1, 2]],
    ['dismiss', [0.7, 'open', 'there'], [1]],
  ])('%s decides about the entry, and undo takes it back', (action, after, entries) =>
    withDoubts(async (test, node_id) => {
      const settled = await settle(test, { action, entry: 1 });
      expect(settled).toEqual({ node_id, action, count: 1, entries, operation: 2 });
      expect(await stateOf(test, node_id)).toEqual(after);
      expect(await waiting(test)).toEqual(action === 'dismiss' ? [2] : []);
      await test.ok('undo', { operation: settled.operation });
      expect(await stateOf(test, node_id)).toEqual([0.7, 'open', 'there']);
      expect(await waiting(test)).toEqual([1, 2]);
    }),
  );

  it('takes a memory instead of an entry', () =>
    withDoubts(async (test, node_id) => {
      expect(await settle(test, { action: 'dismiss', node_id })).toMatchObject({ entries: [1, 2] });
      expect(await waiting(test)).toEqual([]);
      expect(await test.refused('settle', { action: 'dismiss', node_id })).toMatch(
        /^conflict: \S+ does not wait for review/,
      );
    }));

  it('a dismissed entry comes back only when the text changes again, also what changed before it was dismissed', () =>
    withDoubts(async (test, _, code) => {
      const write = (text: string) => code.write('a.ts', LATER, [{ name: 'alpha', text, from: 1, to: 9 }]);
      write('alpha 3');
      await settle(test, { action: 'dismiss', entry: 1 });
      expect(await test.ok('memory_verify_staleness')).toMatchObject({ queued: false });
      expect(await waiting(test)).toEqual([2]);
      write('alpha 4');
      expect(await test.ok('memory_verify_staleness')).toMatchObject({ queued: true });
      expect(await waiting(test)).toHaveLength(2);
    }));

  it('merge closes one of a pair in favour of the other', () =>
    withMemory(async (test) => {
      const old = await storeFact(test, 'CI runs on Node 24 with the cache');
      const fresh = await storeFact(test, 'CI runs on Node 24, with the cache');
      const { operation } = await settle(test, { action: 'merge', node_id: old, other_id: fresh });
      expect(await stateOf(test, old)).toEqual([1, 'closed', 'there']);
      expect(await test.ok('node', { id: fresh })).toMatchObject({ supersedes: [{ id: old }] });
      await test.ok('undo', { operation });
      expect(await stateOf(test, old)).toEqual([1, 'open', 'there']);
      expect(await test.ok('node', { id: fresh })).toMatchObject({ supersedes: [] });
    }));

  it('merge keeps the reasons of the one that is closed, and undo takes them back', () =>
    withMemory(async (test) => {
      const reasons = { rationale: 'The others are too old', alternatives_rejected: ['Node 18'] };
      const old = await storeFact(test, 'CI runs on Node 24 with the cache', reasons);
      const fresh = await storeFact(test, 'CI runs on Node 24, with the cache', { rationale: 'It is faster' });
      const { operation } = await settle(test, { action: 'merge', node_id: old, other_id: fresh });
      const said = () => test.ok('node', { id: fresh });
      expect(await said()).toMatchObject({ rationale: 'It is faster', alternatives_rejected: ['Node 18'] });
      await test.ok('undo', { operation });
      expect(await said()).toMatchObject({ rationale: 'It is faster', alternatives_rejected: [] });
    }));

  it('merge puts what stays on no code that a person knows to be gone', () =>
    withDoubts(async (test, old) => {
      const fresh = await storeFact(test, 'both are slow, and known', { entities: ['parser'] });
      await settle(test, { action: 'confirm', node_id: old });
      await settle(test, { action: 'merge', node_id: old, other_id: fresh });
      await test.ok('memory_verify_staleness');
      expect(await waiting(test)).toEqual([]);
      expect(await test.ok('memory_to_code', { memory_id: fresh })).toMatchObject([{ file_path: 'a.ts' }]);
    }));

  it('merge keeps what the one was about that is closed, as its code is now, and undo takes that back', () =>
    withDoubts(async (test, old, code) => {
      const fresh = await storeFact(test, 'both are slow, and known', { entities: ['parser', 'alpha()'] });
      const said = async () => {
        const found = await test.ok<{ entities: { content: string }[]; code: object[] }>('node', { id: fresh });
        return { ...found, entities: found.entities.map(({ content }) => content).toSorted() };
      };
      const before = await said();
      expect(before.entities).toEqual(['alpha()', 'parser']);
      code.write('b.ts', LATER, [{ name: 'gamma', text: 'gamma 7', from: 1, to: 9 }]);
      const { operation } = await settle(test, { action: 'merge', node_id: old, other_id: fresh });
      expect((await said()).entities).toEqual(['alpha()', 'gamma()', 'parser']);
      const onGamma = async () =>
        [...(await test.text('memory_for_code', { file_path: 'b.ts' })).matchAll(/\[(f_\w+)\]/g)].map(([, id]) => id);
      expect(await onGamma()).toEqual([fresh]);
      await test.ok('memory_verify_staleness');
      expect(await waiting(test)).toEqual([]);
      code.write('b.ts', LATER, [{ name: 'gamma', text: 'gamma 8', from: 1, to: 9 }]);
      await test.ok('memory_verify_staleness');
      expect(await waiting(test)).toHaveLength(1);
      const undoing = await test.ok<{ operation: number }>('undo', { operation });
      expect(await said()).toMatchObject({ entities: before.entities });
      expect(await onGamma()).toEqual([old]);
      await test.ok('undo', { operation: undoing.operation });
      expect((await said()).entities).toEqual(['alpha()', 'gamma()', 'parser']);
      expect(await onGamma()).toEqual([fresh]);
    }));

  it('keep keeps both: no review shows the pair, and no consolidation closes one of it', () =>
    withMemory(async (test) => {
      const old = await storeFact(test, 'CI runs on Node 24 with the cache');
      const fresh = await storeFact(test, 'CI runs on Node 24, with the cache');
      const pairs = async () => (await test.ok<{ near_duplicates: unknown[] }>('review')).near_duplicates.length;
      expect(await pairs()).toBe(1);
      const { operation } = await settle(test, { action: 'keep', node_id: fresh, other_id: old });
      expect(await pairs()).toBe(0);
      // Other pairs are shown as before.
      const third = await storeFact(test, 'The parser reads three lines at once');
      await storeFact(test, 'The parser reads three lines, at once');
      expect(await pairs()).toBe(1);
      await test.ok('memory_forget', { node_id: third });
      await consolidate(test.project, { everything: true });
      expect(await stateOf(test, old)).toEqual([1, 'open', 'there']);
      expect(await test.text('history', { id: old })).toContain(`kept beside ${fresh}`);
      await test.ok('undo', { operation });
      expect(await pairs()).toBe(1);
      await settle(test, { action: 'keep', node_id: old, other_id: fresh });
      await test.ok('memory_forget', { node_id: fresh, purge: true });
      expect(await test.memory.sql.all('SELECT * FROM mem_kept_pairs')).toEqual([]);
    }));

  it('of two processes succeeds in one', () =>
    withDoubts(async (test, node_id, code) => {
      const other = await test.another({ code });
      const answers = await Promise.all(
        [test, other].map(({ call }) => call('settle', { action: 'confirm', entry: 1 })),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      expect(answers.find(({ ok }) => !ok)?.text).toMatch(
        /^conflict: Entry 1 was settled at 2026-03-31T12:00:00\.000Z/,
      );
      expect(await stateOf(test, node_id)).toEqual([0.8, 'open', 'there']);
    }));

  it('refuses what there is not, what is closed, and what is not said', () =>
    withDoubts(async (test, node_id) => {
      const refused = (input: object) => test.refused('settle', input);
      expect(await refused({ action: 'confirm', entry: 9 })).toMatch(/^not_found: There is no entry 9 in the review/);
      expect(await refused({ action: 'confirm', node_id: 'f_zzzzzzzz' })).toMatch(/^not_found: /);
      expect(await refused({ action: 'confirm' })).toMatch(/^invalid_input: Neither "entry" nor "node_id" is given/);
      expect(await refused({ action: 'confirm', entry: 1, node_id })).toMatch(/^invalid_input: Both /);
      expect(await refused({ action: 'merge', entry: 1 })).toMatch(/^invalid_input: The action merge needs a pair/);
      expect(await refused({ action: 'keep', node_id, other_id: node_id })).toMatch(
        /^invalid_input: Both are the same/,
      );
      expect(await refused({ action: 'confirm', node_id, other_id: node_id })).toMatch(
        /^invalid_input: The action confirm does not take "other_id"/,
      );
      expect(await refused({ action: 'approve', entry: 1 })).toMatch(
        /^invalid_input: "action" must be one of confirm, /,
      );
      await test.ok('memory_forget', { node_id });
      expect(await refused({ action: 'confirm', entry: 1 })).toMatch(/^conflict: .* has been forgotten/);
      expect(await stateOf(test, node_id)).toEqual([0.7, 'open', 'forgotten']);
    }));

  it.each(['confirm', 'refute', 'forget', 'dismiss'])(
    '%s refuses an entry that review does not list any more',
    (action) =>
      withDoubts(async (test, node_id, code) => {
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 1', from: 1, to: 9 }]);
        expect(await waiting(test)).toEqual([2]);
        expect(await test.refused('settle', { action, entry: 1 })).toBe(
          `conflict: ${node_id} does not wait for review. Use an entry from "review".`,
        );
        expect(await stateOf(test, node_id)).toEqual([0.7, 'open', 'there']);
        expect(await settle(test, { action, entry: 2 })).toMatchObject({ node_id });
      }),
  );

  it('works in its namespace, and in another one by its name', () =>
    withDoubts(async (test, node_id, code) => {
      const other = await test.another({ namespace: 'other', code });
      expect(await other.refused('settle', { action: 'confirm', entry: 1 })).toMatch(/^not_found: /);
      await settle(other, { action: 'confirm', entry: 1, namespace: 'default' });
      expect(await stateOf(test, node_id)).toEqual([0.8, 'open', 'there']);
      expect(await other.ok('memory_stats')).toMatchObject({ kind_counts: { fact: 0 } });
    }));
});
