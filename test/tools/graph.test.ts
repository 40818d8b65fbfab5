import { describe, expect, it } from 'vitest';
import type { Neighbourhood } from '../../src/server/memory/people/neighbourhood';
import { type MemoryTest, withMemory } from '../support/memory';
import { LATER, storeFact, twoFunctions } from '../support/review';

const graph = ({ ok }: MemoryTest, input: object) => ok<Neighbourhood>('graph', input);
const keys = ({ nodes }: Neighbourhood) => nodes.map(({ key }) => key).sort();
const edges = (found: Neighbourhood) => found.edges.map(({ type, from, to }) => `${from} ${type} ${to}`).sort();

describe('graph', () => {
  it('shows what is around a memory: its entities, symbols, and what it superseded', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const old = await storeFact(test, 'alpha is slow');
        const node_id = await storeFact(test, 'alpha is fast', { entities: ['alpha()'], supersedes: old });
        const [entity] = await test.ok<{ id: string }[]>('entities');
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 3, to: 11 }]);
        const found = await graph(test, { around: node_id });
        const symbol = 'a.ts#function:alpha';
        expect(keys(found)).toEqual([symbol, entity?.id, node_id, old].sort());
        expect(edges(found)).toEqual(
          [`${node_id} ABOUT ${entity?.id}`, `${node_id} SUPERSEDES ${old}`, `${node_id} TOUCHES ${symbol}`].sort(),
        );
        expect(found.nodes.find(({ key }) => key === symbol)).toEqual({
          key: symbol,
          type: 'symbol',
          kind: 'function',
          label: 'alpha',
          hops: 1,
          degree: 1,
          state: null,
          code: { file_path: 'a.ts', name: 'alpha', verdict: 'changed', start_line: 3, end_line: 11 },
        });
        expect(found.nodes.find(({ key }) => key === old)).toMatchObject({
          type: 'memory',
          kind: 'fact',
          label: 'alpha is slow',
          hops: 1,
          state: { valid_until: expect.any(String), tombstoned: 0 },
        });
        expect(await test.text('graph', { around: node_id })).toContain(`${node_id} TOUCHES ${symbol}`);
      },
      { code },
    );
  });

  it('doubts a symbol for what holds alone, not for what was replaced', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const old = await storeFact(test, 'alpha is slow', { entities: ['alpha()'] });
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 3, to: 11 }]);
        const verdict = async (around: string) => {
          const { nodes } = await graph(test, { around, hops: 2, closed: true });
          return nodes.flatMap(({ code }) => (code ? `${code.verdict} ${code.start_line}` : []));
        };
        expect(await verdict(old)).toEqual(['changed 3']);
        const node_id = await storeFact(test, 'alpha is fast', { entities: ['alpha()'], supersedes: old });
        expect(await verdict(node_id)).toEqual(['unchanged 3']);
        await test.ok('memory_forget', { node_id });
        expect(await verdict(old)).toEqual(['unchanged 3']);
      },
      { code },
    );
  });

  it('finds an entity by any of its names, and a symbol by what an entity would call it', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const node_id = await storeFact(test, 'It is slow', { entities: ['Cache'] });
        const onCode = await storeFact(test, 'It is fast', { entities: ['alpha()'] });
        expect(keys(await graph(test, { around: 'CACHE' }))).toContain(node_id);
        // The entity is called alpha(); alpha is the function.
        const found = await graph(test, { around: 'alpha' });
        expect(found.roots).toEqual(['a.ts#function:alpha']);
        expect(keys(found)).toEqual(['a.ts#function:alpha', onCode].sort());
      },
      { code },
    );
  });

  it('shows the outcome of a session around it', () =>
    withMemory(async (test) => {
      await storeFact(test, 'A fact');
      const { closed_session_id, outcome_id } = await test.ok<{ closed_session_id: string; outcome_id: string }>(
        'memory_end_session',
        { summary: 'Done.' },
      );
      expect(edges(await graph(test, { around: closed_session_id }))).toEqual([
        `${outcome_id} OCCURRED_IN ${closed_session_id}`,
      ]);
    }));

  it('goes as far as it is asked to, over several steps', () =>
    withMemory(async (test) => {
      const first = await storeFact(test, 'First', { entities: ['One'] });
      const second = await storeFact(test, 'Second', { entities: ['One', 'Two'] });
      const third = await storeFact(test, 'Third', { entities: ['Two'] });
      const contents = async (hops: number) =>
        (await graph(test, { around: first, hops })).nodes.map(({ label, hops: at }) => `${at} ${label}`);
      expect(await contents(1)).toEqual(['0 First', '1 One']);
      expect(await contents(2)).toEqual(['0 First', '1 One', '2 Second']);
      expect(await contents(3)).toEqual(['0 First', '1 One', '2 Second', '3 Two']);
      expect(keys(await graph(test, { around: second, hops: 2 }))).toContain(third);
    }));

  it('is bounded: a hub shows its newest memories, its degree, and that there is more', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 600 }, (_, i) => ({ content: `Fact ${i}`, kind: 'fact', entities: ['Hub'] }));
      await test.ok('memory_import', { nodes });
      const found = await graph(test, { around: 'Hub', limit: 10 });
      expect(found).toMatchObject({ truncated: true });
      expect(found.nodes).toHaveLength(10);
      expect(found.nodes[0]).toMatchObject({ label: 'Hub', degree: 600 });
      expect(found.nodes[1]?.label).toBe('Fact 599');
      expect((await graph(test, { around: 'Hub', limit: 500, hops: 3 })).nodes).toHaveLength(500);
    }));

  it('leaves out what is forgotten or closed, unless it is asked for', () =>
    withMemory(async (test) => {
      const node_id = await storeFact(test, 'It is slow', { entities: ['Cache'] });
      await test.ok('memory_forget', { node_id });
      expect(keys(await graph(test, { around: 'Cache' }))).toHaveLength(1);
      expect(keys(await graph(test, { around: 'Cache', closed: true }))).toContain(node_id);
    }));

  it('names what is nearest where it finds nothing, and stays in its namespace', () =>
    withMemory(async (test) => {
      const node_id = await storeFact(test, 'It is slow', { entities: ['Redis'] });
      expect(await graph(test, { around: 'reddis' })).toEqual({
        roots: [],
        nodes: [],
        edges: [],
        truncated: false,
        nearest: ['Redis'],
      });
      expect(await test.text('graph', { around: 'reddis' })).toBe('Nothing is known of this; the nearest are "Redis".');
      const other = await test.another({ namespace: 'other' });
      expect((await graph(other, { around: node_id })).roots).toEqual([]);
      expect((await graph(other, { around: node_id, namespace: 'default' })).roots).toEqual([node_id]);
      expect(await test.refused('graph', { around: ' ' })).toMatch(/^invalid_input: "around" is blank/);
    }));
});
