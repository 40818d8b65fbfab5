import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/server/base/clock';
import { exportStore, type StoreExport } from '../../../src/server/memory/transfer/export';
import { bringAsFile } from '../../support/imports';
import { type MemoryTest, withMemory } from '../../support/memory';

async function exported(test: MemoryTest): Promise<string> {
  let text = '';
  await exportStore(test.project.store, (piece) => {
    text += piece;
  });
  return text;
}

// The text is this program's own.
const parsed = async (test: MemoryTest) => JSON.parse(await exported(test)) as StoreExport;

/** A store with everything that a store can hold. */
async function fill(memory: MemoryTest): Promise<void> {
  await memory.ok('memory_start_session', { name: 'Monday' });
  const first = await memory.ok<{ node_id: string }>('memory_store', {
    content: 'Redis is the cache "for now"\n日本語 🙈',
    kind: 'decision',
    entities: ['Redis', 'Auth Service'],
    rationale: 'It was there',
    alternatives_rejected: ['memcached', 'nothing'],
    confidence: 0.7,
  });
  memory.later(2 * HOUR_MS);
  await memory.ok('memory_store', {
    content: 'Redis is gone',
    kind: 'decision',
    entities: ['redis'],
    supersedes: first.node_id,
  });
  const forgotten = await memory.ok<{ node_id: string }>('memory_store', {
    content: 'A slip',
    kind: 'fact',
    entities: ['Slip'],
  });
  await memory.ok('memory_forget', { node_id: forgotten.node_id });
  const refuted = await memory.ok<{ node_id: string }>('memory_store', { content: 'The moon is cheese', kind: 'fact' });
  await memory.ok('memory_verify', { node_id: refuted.node_id, status: 'refute' });
  // A forgotten entity whose name was given out again.
  const { linked_entity_ids: slips } = await memory.ok<{ linked_entity_ids: string[] }>('memory_store', {
    content: 'Another',
    kind: 'fact',
    entities: ['Slip'],
  });
  await memory.ok('memory_forget', { node_id: slips[0] });
  await memory.ok('memory_store', { content: 'A third', kind: 'fact', entities: ['slip'] });
  await memory.ok('memory_end_session', { summary: 'Redis replaced' });
  await memory.ok('memory_store', { content: 'Elsewhere', kind: 'preference', entities: ['Redis'], namespace: 'work' });
  await memory.ok('memory_import', {
    nodes: [
      { kind: 'entity', content: 'PostgreSQL', aliases: ['Postgres', 'pg'] },
      {
        kind: 'procedure',
        content: 'Ask pg',
        id: 'p_lonely',
        entities: ['pg'],
        session_id: null,
        touches: [{ file_path: 'src/a.ts', code_type: 'function', name: 'ask', hash: 'abc' }],
      },
    ],
  });
  await memory.ok('memory_switch_namespace', { namespace: 'default' });
}

describe('an export', () => {
  test('holds every field of every node, of all namespaces', () =>
    withMemory(async (memory) => {
      await fill(memory);
      const { nodes, edges } = await parsed(memory);
      expect(nodes.find(({ content }) => content.startsWith('Redis is the cache'))).toEqual({
        id: expect.stringMatching(/^d_/),
        kind: 'decision',
        content: 'Redis is the cache "for now"\n日本語 🙈',
        confidence: 0.7,
        recorded_at: '2026-03-31T12:00:00.000Z',
        valid_from: '2026-03-31T12:00:00.000Z',
        valid_until: '2026-03-31T14:00:00.000Z',
        tombstoned: 0,
        standing: 'stored',
        rationale: 'It was there',
        alternatives_rejected: ['memcached', 'nothing'],
        namespace: 'default',
        origin: {
          kind: 'agent',
          name: 'test',
          hash: null,
          store: expect.stringMatching(/^[0-9a-f]{32}$/),
          marked: false,
        },
        session_id: expect.stringMatching(/^s_/),
        occurred_in: null,
        entities: ['Redis', 'Auth Service'],
        aliases: [],
        supersedes: [],
        touches: [],
      });
      const outcome = nodes.find(({ kind }) => kind === 'outcome');
      expect(outcome?.occurred_in).toBe(outcome?.session_id);
      expect(nodes.find(({ id }) => id === 'p_lonely')).toMatchObject({
        namespace: 'work',
        session_id: null,
        entities: ['PostgreSQL'],
      });
      expect(nodes.find(({ content }) => content === 'PostgreSQL')).toMatchObject({ aliases: ['pg', 'Postgres'] });
      expect(nodes.filter(({ tombstoned }) => tombstoned === 1).map(({ content }) => content)).toEqual([
        'Slip',
        'A slip',
      ]);
      expect(new Set(edges.map(({ type }) => type))).toEqual(new Set(['ABOUT', 'SUPERSEDES', 'OCCURRED_IN']));
      const ids = new Set(nodes.map(({ id }) => id));
      expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
    }));

  test('imported into an empty store and exported again is the same text', () =>
    withMemory(async (memory) => {
      await fill(memory);
      const before = await exported(memory);
      await withMemory(async (copy) => {
        copy.later(5 * HOUR_MS);
        const { nodes } = JSON.parse(before) as StoreExport;
        const result = await bringAsFile(copy, nodes, true);
        expect(result).toMatchObject({ imported: nodes.length, errors: [], created_entity_ids: [] });
        expect(await exported(copy)).toBe(before);
        expect(await bringAsFile(copy, nodes, true)).toMatchObject({ imported: 0, errors: [] });
        expect(await exported(copy)).toBe(before);
        // What search knows is back as well: an alias finds the memory, episodes are as they were.
        expect(await copy.text('memory_recall', { query: 'postgres', namespace: 'work', hops: 0 })).toContain(
          'p_lonely',
        );
        const episodes = 'SELECT id, episode FROM mem_nodes WHERE episode IS NOT NULL ORDER BY seq';
        expect(await copy.memory.sql.all(episodes)).toEqual(await memory.memory.sql.all(episodes));
      });
    }));

  test('of an empty store is empty', () =>
    withMemory(async (memory) => {
      expect(await parsed(memory)).toEqual({ nodes: [], edges: [] });
    }));

  test('is of one moment while others go on writing', () =>
    withMemory(async (memory) => {
      await fill(memory);
      const before = await exported(memory);
      const other = await memory.another();
      let text = '';
      await exportStore(memory.project.store, async (piece) => {
        text += piece;
        await other.ok('memory_store', { content: 'In between', kind: 'fact', entities: ['Redis'] });
      });
      expect(text).toBe(before);
      expect(await exported(memory)).not.toBe(before);
    }));

  test('of many memories comes in pieces and keeps their order', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_import', {
        nodes: Array.from({ length: 3210 }, (_, i) => ({ content: `Memory ${i}`, kind: 'fact', entities: ['Hub'] })),
      });
      const done: number[] = [];
      let text = '';
      await exportStore(
        memory.project.store,
        (piece) => {
          text += piece;
        },
        (nodes) => done.push(nodes),
      );
      expect(done.at(-1)).toBe(3212);
      expect(done.length).toBeGreaterThan(3);
      const { nodes, edges } = JSON.parse(text) as StoreExport;
      expect(nodes.filter(({ kind }) => kind === 'fact').map(({ content }) => content)).toEqual(
        Array.from({ length: 3210 }, (_, i) => `Memory ${i}`),
      );
      expect(edges).toHaveLength(3210);
    }));
});
