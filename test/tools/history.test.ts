import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/server/base/clock';
import type { HistoryEvent, NodeHistory } from '../../src/server/memory/history/node-history';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact, twoFunctions } from '../support/review';
import { withShared } from '../support/shared';

const history = async ({ ok }: MemoryTest, input: object): Promise<HistoryEvent[]> =>
  (await ok<NodeHistory>('history', input)).events;
const actions = (events: readonly HistoryEvent[]) =>
  events.map(({ action, operation, undone_by }) => [action, operation, undone_by]);

describe('history', () => {
  it('tells what happened to a memory, when, by whom, and what undo takes', () =>
    withMemory(async (test) => {
      const id = await storeFact(test, 'The build takes nine minutes', { confidence: 0.7 });
      test.later(60_000);
      const other = await test.another({ pid: 4242, host: 'elsewhere' });
      await other.ok('memory_verify', { node_id: id, status: 'confirm' });
      test.later(60_000);
      const fresh = await storeFact(test, 'It takes two', { supersedes: id });
      await test.ok('memory_forget', { node_id: id });
      await test.ok('undo');
      const events = await history(test, { id });
      expect(actions(events)).toEqual([
        ['store', 1, null],
        ['confirm', 2, null],
        ['supersede', 3, null],
        ['forget', 4, 5],
        ['undo', 5, null],
      ]);
      expect(events[1]).toEqual({
        at: '2026-03-31T12:01:00.000Z',
        action: 'confirm',
        operation: 2,
        undone_by: null,
        tool: 'memory_verify',
        client: 'test',
        host: 'elsewhere',
        pid: 4242,
        before: { confidence: 0.7, valid_until: null, tombstoned: 0, standing: 'stored' },
        after: { confidence: 0.8, valid_until: null, tombstoned: 0, standing: 'stored' },
        other_id: null,
        moved: null,
        of: null,
      });
      expect(events[2]?.other_id).toBe(fresh);
      const text = await test.text('history', { id });
      expect(text).toContain(`## History of ${id}\n- 2026-03-31 12:00:00 stored · test (`);
      expect(text).toContain('confirmed (conf 0.70 → 0.80) · test (4242 on elsewhere), memory_verify · operation 2');
      expect(text).toContain(`superseded by ${fresh} (closed 2026-03-31)`);
      expect(text).toContain('forgotten (hidden)');
      expect(text).toContain('operation 4, undone by 5');
    }));

  it('tells of a change with another memory that was undone what no longer is, and of one that was done again what is', () =>
    withMemory(async (test) => {
      const id = await storeFact(test, 'The build takes nine minutes');
      const fresh = await storeFact(test, 'The build takes two minutes', { supersedes: id });
      const twin = await storeFact(test, 'The build takes nearly nine minutes');
      const undone = await test.ok<{ operation: number }>('undo', { operation: 2 });
      await test.ok('settle', { action: 'keep', node_id: id, other_id: twin });
      await test.ok('undo');
      const lines = async () => (await test.text('history', { id })).split('\n').slice(2);
      expect(await lines()).toEqual([
        expect.stringMatching(`^- [-\\d]+ [:\\d]+ superseded by ${fresh} \\(closed 2026-03-31\\) · .* undone by 4$`),
        expect.stringMatching(
          `^- [-\\d]+ [:\\d]+ a change was undone, no longer superseded by ${fresh} \\(open again\\) · `,
        ),
        expect.stringMatching(`^- [-\\d]+ [:\\d]+ kept beside ${twin} · .* undone by 6$`),
        expect.stringMatching(`^- [-\\d]+ [:\\d]+ a change was undone, no longer kept beside ${twin} · `),
      ]);
      await test.ok('undo', { operation: undone.operation });
      expect((await lines()).at(-1)).toMatch(
        new RegExp(`^- [-\\d]+ [:\\d]+ a change was done again, superseded by ${fresh} \\(closed 2026-03-31\\) · `),
      );
    }));

  it('tells what was undone, and what was done again, also of a sharing', () =>
    withShared(async (test) => {
      const id = await storeFact(test, 'The build takes nine minutes');
      await test.ok('share', { node_ids: [id] });
      await test.ok('undo');
      await test.ok('undo', { operation: 3 });
      await test.ok('undo', { operation: 4 });
      await test.ok('memory_forget', { node_id: id });
      await test.ok('undo');
      const lines = (await test.text('history', { id })).split('\n').slice(2);
      expect(lines.map((line) => /\d\d:\d\d:\d\d (.*?) · /.exec(line)?.[1])).toEqual([
        'shared with the repository',
        'undone: shared with the repository',
        'done again: shared with the repository',
        'undone: shared with the repository',
        'forgotten (hidden)',
        'undone: forgotten (back)',
      ]);
      expect((await history(test, { id })).map(({ of }) => of)).toEqual([
        ...[null, null, 'share', 'share', 'share', null, 'forget'],
      ]);
    }));

  it('tells where the code is that is not where it was linked', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const id = await storeFact(test, 'a fact', { entities: ['alpha()'] });
        code.remove('a.ts');
        code.write('b.ts', Date.parse('2026-04-01'), [{ name: 'omega', text: 'alpha 1', from: 1, to: 9 }]);
        expect(await test.text('history', { id })).toContain(
          '2026-04-01 00:00:00 its code went from a.ts#alpha to b.ts#omega (moved and renamed)',
        );
        test.later(30 * DAY_MS);
        await test.ok('memory_verify', { node_id: id, status: 'confirm' });
        // Each at its time, whatever tells of it.
        expect((await history(test, { id })).map(({ action }) => action)).toEqual(['store', 'anchor', 'confirm']);
      },
      { code },
    );
  });

  it('of a memory stored before there were histories tells who held its session', () =>
    withMemory(async (test) => {
      const id = await storeFact(test, 'a fact');
      await test.project.write(({ sql }) => sql.run('DELETE FROM mem_operations'));
      expect(await history(test, { id })).toEqual([
        expect.objectContaining({ action: 'store', operation: null, tool: null, client: 'test', host: 'test-host' }),
      ]);
    }));

  it('is of one namespace, and of another one by its name', () =>
    withMemory(async (test) => {
      const id = await storeFact(test, 'a fact');
      const other = await test.another({ namespace: 'other' });
      expect(await other.refused('history', { id })).toMatch(/^not_found: There is no memory /);
      expect(actions(await history(other, { id, namespace: 'default' }))).toEqual([['store', 1, null]]);
    }));

  it('is gone with a memory that is purged', () =>
    withMemory(async (test) => {
      const id = await storeFact(test, 'a fact');
      await test.ok('memory_verify', { node_id: id, status: 'confirm' });
      await test.ok('memory_forget', { node_id: id, purge: true });
      expect(await test.memory.sql.all('SELECT * FROM mem_history')).toEqual([]);
      expect(await test.refused('history', { id })).toMatch(/^not_found: /);
    }));
});
