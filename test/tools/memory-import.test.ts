import { describe, expect, it } from 'vitest';
import { bring, bringAsFile, NOTHING, rowOf } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';

const stats = ({ ok }: MemoryTest) => ok<{ namespaces: string[] }>('memory_stats');

describe('memory_import by an agent', () => {
  it('goes to the active namespace, whatever its objects say', () =>
    withMemory(
      async (test) => {
        const { imported } = await bring(test, [
          { kind: 'fact', content: 'Ours', namespace: 'private' },
          { kind: 'fact', content: 'Ours, too' },
        ]);
        expect(imported).toBe(2);
        expect(await stats(test)).toMatchObject({ kind_counts: { fact: 2 }, namespaces: ['default', 'work'] });
        const list = await test.memory.sql.all<{ n: number }>(
          `SELECT count(*) AS n FROM mem_nodes WHERE kind = 'fact' GROUP BY seq >> 32`,
        );
        expect(list).toEqual([{ n: 2 }]);
      },
      { namespace: 'work' },
    ));

  it('learns nothing of the ids of other namespaces: its objects get new ones, and what refers to them follows', () =>
    withMemory(async (test) => {
      const there = [
        { id: 's_1', kind: 'session', content: 'Their session', namespace: 'private' },
        { id: 'f_1', kind: 'fact', content: 'Their fact', namespace: 'private', session_id: 's_1' },
      ];
      expect(await bringAsFile(test, there)).toMatchObject({ imported: 2 });
      const nodes = [
        { id: 's_1', kind: 'session', content: 'My session' },
        { id: 'f_1', kind: 'fact', content: 'Their fact', session_id: 's_1' },
        { id: 'f_2', kind: 'fact', content: 'Newer', session_id: null, supersedes: ['f_1'] },
      ];
      const { imported, node_ids, errors } = await bring(test, nodes);
      expect({ imported, errors }).toEqual({ imported: 3, errors: [] });
      const [session, old, newer] = node_ids;
      expect(node_ids).toEqual([expect.not.stringMatching('^s_1$'), expect.not.stringMatching('^f_1$'), 'f_2']);
      expect(await rowOf(test, old)).toMatchObject({ session: (await rowOf(test, session))?.seq });
      expect(await test.text('memory_timeline', { topic: 'their fact' })).toContain(`[superseded by ${newer}]`);
      // There, nothing has changed.
      expect(await rowOf(test, 'f_1')).toMatchObject({ content: 'Their fact', valid_until: null });
    }));

  it('takes texts of 100 kB and none that are longer; what an earlier version stored stays readable', () =>
    withMemory(async (test) => {
      const [longest, longer] = ['漢'.repeat(33_333), '漢'.repeat(33_334)];
      const nodes = [longest, longer].map((content) => ({ kind: 'fact', content }));
      const { node_ids, errors } = await bring(test, [...nodes, { kind: 'fact', content: 'x', rationale: longer }]);
      expect(node_ids).toHaveLength(1);
      expect(errors).toEqual([
        { index: 1, message: expect.stringMatching(/^invalid_input: "content" is longer than 100 kB\. Split it/) },
        { index: 2, message: expect.stringMatching(/^invalid_input: "rationale" is longer than 100 kB\. Split it/) },
      ]);
      await test.project.store.transact((sql) =>
        sql.run('UPDATE mem_nodes SET content = $longer WHERE id = $id', {
          longer: `${longer} end`,
          id: node_ids[0] ?? '',
        }),
      );
      expect(await test.ok('node', { id: node_ids[0] })).toMatchObject({ content: `${longer} end` });
    }));

  it('refers to nothing of another namespace', () =>
    withMemory(async (test) => {
      await bringAsFile(test, [
        { id: 's_1', kind: 'session', content: 'Their session', namespace: 'private' },
        { id: 'f_1', kind: 'fact', content: 'Their fact', namespace: 'private' },
      ]);
      const result = await bring(test, [
        { kind: 'fact', content: 'One', namespace: 'private', session_id: 's_1' },
        { kind: 'fact', content: 'Two', namespace: 'private', supersedes: ['f_1'] },
        { id: 'f_1', kind: 'fact', content: 'Itself', supersedes: ['f_1'] },
      ]);
      expect(result).toEqual({
        ...NOTHING,
        errors: [
          { index: 0, message: expect.stringContaining('no such session') },
          { index: 1, message: expect.stringContaining('no such other memory') },
          { index: 2, message: expect.stringContaining('no such other memory') },
        ],
      });
      expect(await rowOf(test, 'f_1')).toMatchObject({ valid_until: null });
    }));

  it('refers to nothing that the same message puts into another namespace', () =>
    withMemory(async (test) => {
      const result = await bringAsFile(test, [
        { id: 's_1', kind: 'session', content: 'Their session', namespace: 'private' },
        { id: 'f_1', kind: 'fact', content: 'Their fact', namespace: 'private' },
        { kind: 'fact', content: 'One', namespace: 'work', session_id: 's_1' },
        { kind: 'fact', content: 'Two', namespace: 'work', supersedes: ['f_1'] },
        { kind: 'fact', content: 'Three', namespace: 'private', supersedes: ['f_1'] },
      ]);
      expect(result).toMatchObject({
        imported: 3,
        errors: [
          { index: 2, message: expect.stringContaining('no such session') },
          { index: 3, message: expect.stringContaining('no such other memory') },
        ],
      });
    }));

  it('tells how many of its objects are done, entities that they name left out', () =>
    withMemory(async (test) => {
      const told: [done: number, of: number | undefined][] = [];
      const nodes = [1, 2, 3].map((i) => ({ content: `Number ${i}`, kind: 'fact', entities: [`Part ${i}`, 'All'] }));
      await test.ok('memory_import', { nodes }, { progress: (done, of) => told.push([done, of]) });
      expect(told.at(-1)).toEqual([3, 3]);
      expect(told.filter(([done]) => done > 3)).toEqual([]);
    }));
});
