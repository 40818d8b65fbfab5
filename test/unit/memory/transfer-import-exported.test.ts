import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/server/base/clock';
import { aboutOf, bring, bringAsFile, NOTHING, rowOf } from '../../support/imports';
import { withMemory } from '../../support/memory';

describe('memory_import of exported objects', () => {
  test('by a person keeps id, times, state and namespace, and leaves the active namespace alone', () =>
    withMemory(async (memory) => {
      const node = {
        id: 'f_bagesuto',
        kind: 'fact',
        content: 'Elsewhere',
        confidence: 0.5,
        recorded_at: '2025-01-01T00:00:00.000Z',
        valid_from: '2024-12-01T00:00:00.000Z',
        valid_until: '2025-02-01T00:00:00.000Z',
        tombstoned: 1,
        namespace: 'work',
      };
      expect(await bringAsFile(memory, [node])).toEqual({ ...NOTHING, imported: 1, node_ids: ['f_bagesuto'] });
      const { namespace: _, ...columns } = node;
      expect(await rowOf(memory, 'f_bagesuto')).toMatchObject(columns);
      expect(await memory.ok('memory_stats')).toMatchObject({ namespaces: ['default', 'work'] });
      expect(memory.memory.scope.namespace).toBe('default');
    }));

  test('does not write twice what is there with the same content', () =>
    withMemory(async (memory) => {
      const nodes = [
        { id: 's_1', kind: 'session', content: 'Work' },
        { id: 'e_1', kind: 'entity', content: 'SQLite', aliases: ['sqlite3'] },
        { id: 'f_1', kind: 'fact', content: 'One', session_id: 's_1', entities: ['SQLite'] },
      ];
      expect(await bring(memory, nodes)).toMatchObject({ imported: 3, created_entity_ids: [] });
      expect(await bring(memory, nodes)).toEqual(NOTHING);
      expect(await bring(memory, [nodes[2], nodes[2]])).toEqual(NOTHING);
      expect(await bring(memory, [{ ...nodes[2], content: 'Two' }])).toMatchObject({
        imported: 0,
        errors: [{ index: 0, message: expect.stringContaining('f_1 belongs to a node') }],
      });
    }));

  test('an id of another namespace is taken, whatever its content', () =>
    withMemory(async (memory) => {
      await bring(memory, [{ id: 'f_1', kind: 'fact', content: 'One' }]);
      const result = await bringAsFile(memory, [{ id: 'f_1', kind: 'fact', content: 'One', namespace: 'work' }]);
      expect(result).toMatchObject({
        imported: 0,
        errors: [{ index: 0, message: expect.stringContaining('belongs to') }],
      });
    }));

  test('a session of another namespace is not there', () =>
    withMemory(async (memory) => {
      const { session_id } = await memory.ok<{ session_id: string }>('memory_start_session', { name: 'Here' });
      const result = await bringAsFile(memory, [{ kind: 'fact', content: 'One', namespace: 'work', session_id }]);
      expect(result.errors).toMatchObject([{ index: 0, message: expect.stringContaining('no such session') }]);
    }));

  test('finds sessions of the same message wherever they stand, and closed ones of the store', () =>
    withMemory(async (memory) => {
      await bring(memory, [
        { kind: 'outcome', content: 'Done', session_id: 's_1', occurred_in: 's_1' },
        { kind: 'session', content: 'Work', id: 's_1', valid_until: '2026-01-01' },
      ]);
      await bring(memory, [{ kind: 'fact', content: 'Late', session_id: 's_1' }]);
      expect(await memory.ok('memory_list_sessions')).toMatchObject([{ id: 's_1', node_count: 2 }]);
      expect(await memory.memory.sql.all(`SELECT type FROM mem_edges WHERE type = 'OCCURRED_IN'`)).toHaveLength(1);
    }));

  test('an exported node of no session stays without one', () =>
    withMemory(async (memory) => {
      await bring(memory, [{ id: 'f_1', kind: 'fact', content: 'One', session_id: null }]);
      expect(await rowOf(memory, 'f_1')).toMatchObject({ session: null });
      expect(await memory.ok('memory_list_sessions')).toEqual([]);
    }));

  test('restores SUPERSEDES, and closes a memory that is superseded by the import', () =>
    withMemory(async (memory) => {
      const { node_id } = await memory.ok<{ node_id: string }>('memory_store', { content: 'Port 80', kind: 'fact' });
      memory.later(HOUR_MS);
      await bring(memory, [
        { id: 'f_new', kind: 'fact', content: 'Port 8080', supersedes: [node_id, 'f_old'] },
        { id: 'f_old', kind: 'fact', content: 'Port 8', valid_until: '2026-01-01T00:00:00.000Z' },
      ]);
      expect(await rowOf(memory, node_id)).toMatchObject({ valid_until: '2026-03-31T13:00:00.000Z' });
      expect(await rowOf(memory, 'f_old')).toMatchObject({ valid_until: '2026-01-01T00:00:00.000Z' });
      expect(await memory.text('memory_timeline', { topic: 'port' })).toContain(
        `[${node_id}] 2026-03-31 · conf 1.00 [superseded by f_new]`,
      );
    }));

  test('joins an entity to the one of that name, with its aliases', () =>
    withMemory(async (memory) => {
      const stored = await memory.ok<{ node_id: string; linked_entity_ids: string[] }>('memory_store', {
        content: 'It is quick',
        kind: 'fact',
        entities: ['SQLite'],
      });
      const result = await bring(memory, [
        { id: 'e_theirs', kind: 'entity', content: 'sqlite', aliases: ['the database'] },
        { kind: 'fact', content: 'It is small', entities: ['The Database'] },
      ]);
      expect(result).toMatchObject({ imported: 1, created_entity_ids: [], errors: [] });
      expect(await aboutOf(memory, result.node_ids[0])).toEqual(['SQLite']);
      const dossier = await memory.text('memory_about', { entity: 'the database' });
      expect(dossier).toContain('It is quick');
      expect(dossier).toContain('It is small');
      const recalled = await memory.text('memory_recall', { query: 'what about the database', hops: 0 });
      expect(recalled).toContain(stored.node_id);
    }));

  test('takes the id of an entity that was joined to another one for that one', () =>
    withMemory(async (memory) => {
      await bring(memory, [{ kind: 'entity', content: 'SQLite' }]);
      const { node_ids, errors } = await bring(memory, [
        { id: 'e_stored', kind: 'entity', content: 'sqlite' },
        { id: 'e_new', kind: 'entity', content: 'Redis' },
        { kind: 'entity', content: 'redis', aliases: ['The cache'] },
        { kind: 'fact', content: 'Both are quick', entities: ['e_stored', 'the cache'] },
      ]);
      expect(errors).toEqual([]);
      expect(await aboutOf(memory, node_ids.at(-1))).toEqual(['SQLite', 'Redis']);
    }));

  test('a forgotten entity gives its name to the open one that took its place', () =>
    withMemory(async (memory) => {
      await bring(memory, [
        { id: 'e_old', kind: 'entity', content: 'Redis', tombstoned: 1 },
        { id: 'f_old', kind: 'fact', content: 'Old', entities: ['e_old'] },
        { id: 'e_new', kind: 'entity', content: 'Redis' },
        { id: 'f_new', kind: 'fact', content: 'New', entities: ['redis'] },
      ]);
      const edges = await memory.memory.sql.all(
        `SELECT n.id AS src, e.id AS dst FROM mem_edges AS a JOIN mem_nodes AS n ON n.seq = a.src
         JOIN mem_nodes AS e ON e.seq = a.dst WHERE a.type = 'ABOUT' ORDER BY n.seq`,
      );
      expect(edges).toEqual([
        { src: 'f_old', dst: 'e_old' },
        { src: 'f_new', dst: 'e_new' },
      ]);
    }));

  test('takes a long rejected alternative, as memory_store does', () =>
    withMemory(async (memory) => {
      const long = 'because '.repeat(200).trim();
      const result = await bring(memory, [{ kind: 'decision', content: 'One', alternatives_rejected: [long] }]);
      expect(await rowOf(memory, result.node_ids[0])).toMatchObject({ alternatives_rejected: JSON.stringify([long]) });
    }));

  test('the id of an entity of another namespace is only a name here', () =>
    withMemory(async (memory) => {
      const result = await bringAsFile(memory, [
        { id: 'e_there', kind: 'entity', content: 'Redis', namespace: 'work' },
        { kind: 'fact', content: 'It is quick', entities: ['e_there'] },
      ]);
      expect(result.created_entity_ids).toHaveLength(1);
      expect(await aboutOf(memory, result.node_ids[1])).toEqual(['e_there']);
    }));

  test('what supersedes an entity that the store has by name, supersedes that one', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_store', { content: 'It is quick', kind: 'fact', entities: ['Redis'] });
      const result = await bring(memory, [
        { id: 'e_old', kind: 'entity', content: 'redis' },
        { id: 'e_new', kind: 'entity', content: 'Valkey', supersedes: ['e_old'] },
      ]);
      expect(result).toMatchObject({ imported: 1, errors: [] });
      expect(
        await memory.memory.sql.all(
          `SELECT n.content FROM mem_edges AS e LEFT JOIN mem_nodes AS n ON n.seq = e.dst WHERE e.type = 'SUPERSEDES'`,
        ),
      ).toEqual([{ content: 'Redis' }]);
    }));

  test('brings code links back with their hashes and links plain objects to the code as it is', () =>
    withMemory(
      async (memory) => {
        const old = { file_path: 'src/old.ts', code_type: 'function', name: 'parse', hash: 'before' };
        const result = await bring(memory, [
          { id: 'f_1', kind: 'fact', content: 'Doubtful', entities: ['parse()'], touches: [old] },
          { kind: 'fact', content: 'Plain', entities: ['parse()'] },
        ]);
        expect(result.errors).toEqual([]);
        expect(await memory.memory.sql.all('SELECT hash FROM mem_links ORDER BY node')).toEqual([
          { hash: 'before' },
          { hash: 'today' },
        ]);
      },
      {
        code: {
          unavailable: undefined,
          match: async (names) =>
            new Map(
              names.map((name) => [
                name,
                [{ file_path: 'src/a.ts', code_type: 'function', name, hash: 'today', start_line: 1, end_line: 2 }],
              ]),
            ),
          inFile: async () => [],
          locate: async () => [],
          relativePath: (path) => path,
          modifiedAt: async () => undefined,
        },
      },
    ));
});
