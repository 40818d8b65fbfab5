import { describe, expect, test } from 'vitest';
import type { NamespaceCounts } from '../../src/server/memory/people/namespace-counts';
import type { ListedEntity, NodeDetails, NodeSummary } from '../../src/server/memory/people/node-details';
import { type MemoryTest, withMemory } from '../support/memory';

const store = (memory: MemoryTest, content: string, more: Record<string, unknown> = {}) =>
  memory.ok<{ node_id: string; linked_entity_ids: string[] }>('memory_store', { content, kind: 'fact', ...more });

const contents = (nodes: readonly NodeSummary[]): string[] => nodes.map(({ content }) => content);

describe('node', () => {
  test('shows everything about a memory', () =>
    withMemory(async (memory) => {
      const { session_id } = await memory.ok<{ session_id: string }>('memory_start_session', { name: 'Storage' });
      const old = await store(memory, 'Use files.', { kind: 'decision' });
      const fresh = await store(memory, 'Use SQLite.', {
        kind: 'decision',
        entities: ['store'],
        rationale: 'Many processes.',
        alternatives_rejected: ['Files'],
        supersedes: old.node_id,
        confidence: 0.9,
      });
      expect(await memory.ok<NodeDetails>('node', { id: fresh.node_id })).toEqual({
        id: fresh.node_id,
        kind: 'decision',
        content: 'Use SQLite.',
        confidence: 0.9,
        recorded_at: '2026-03-31T12:00:00.000Z',
        valid_from: '2026-03-31T12:00:00.000Z',
        valid_until: null,
        tombstoned: 0,
        standing: 'stored',
        session_id,
        namespace: 'default',
        origin: { kind: 'agent', name: 'test', hash: null, store: null, marked: false },
        rationale: 'Many processes.',
        alternatives_rejected: ['Files'],
        entities: [{ id: fresh.linked_entity_ids[0], content: 'store' }],
        supersedes: [{ id: old.node_id, content: 'Use files.' }],
        superseded_by: [],
        replaces: [],
        aliases: [],
        nodes: [],
        chain: [
          expect.objectContaining({ id: old.node_id, valid_until: '2026-03-31T12:00:00.000Z' }),
          expect.objectContaining({ id: fresh.node_id, valid_until: null }),
        ],
        session: {
          id: session_id,
          topic: null,
          content: 'Storage',
          valid_until: null,
          holder: { pid: process.pid, host: 'test-host', client: 'test' },
        },
        code: [],
      });
      const session = await memory.ok<NodeDetails>('node', { id: session_id });
      expect(contents(session.nodes)).toEqual(['Use files.', 'Use SQLite.']);
      const closed = await memory.ok<NodeDetails>('node', { id: old.node_id });
      expect(closed).toMatchObject({ valid_until: expect.any(String), superseded_by: [{ id: fresh.node_id }] });
    }));

  test('refuses an id that is unknown or belongs to another namespace', () =>
    withMemory(async (memory) => {
      const { node_id } = await store(memory, 'Here.');
      expect(await memory.refused('node', { id: 'f_nothing0' })).toMatch(/^not_found: /);
      await memory.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      expect(await memory.refused('node', { id: node_id })).toMatch(/^not_found: /);
    }));
});

describe('nodes', () => {
  test('lists open memories, newest first, by kind, session and beginning of the id', () =>
    withMemory(async (memory) => {
      const first = await memory.ok<{ session_id: string }>('memory_start_session', { name: 'One' });
      const gone = await store(memory, 'Forgotten.');
      await store(memory, 'First.');
      await memory.ok('memory_forget', { node_id: gone.node_id });
      await memory.ok('memory_end_session', { summary: 'Done.' });
      const last = await store(memory, 'Second.', { kind: 'decision' });
      const list = async (input: object) => contents(await memory.ok<NodeSummary[]>('nodes', input));
      expect(await list({ kinds: ['fact', 'decision', 'outcome'] })).toEqual(['Second.', 'Done.', 'First.']);
      expect(await list({ kinds: ['fact'], closed: true })).toEqual(['First.', 'Forgotten.']);
      expect(await list({ closed: true, forgotten: true, limit: 1 })).toEqual(['Forgotten.']);
      expect(await list({ session_id: first.session_id, kinds: ['fact'] })).toEqual(['First.']);
      expect(await list({ id_prefix: last.node_id.slice(0, 6) })).toEqual(['Second.']);
      expect(await list({ id_prefix: '%' })).toEqual([]);
      expect(await list({ limit: 1 })).toEqual(['Second.']);
      await memory.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      expect(await list({ closed: true })).toEqual([]);
    }));

  test('lists what is about an entity, what has the words of a filter in it, and goes on where a page ended', () =>
    withMemory(async (memory) => {
      const first = await store(memory, 'The store is ÖLIG.', { entities: ['store'] });
      await store(memory, 'Nothing of the kind.');
      const last = await store(memory, 'The Store is one file.', { entities: ['store', 'file'] });
      const list = async (input: object) =>
        contents(await memory.ok<NodeSummary[]>('nodes', { kinds: ['fact'], ...input }));
      expect(await list({ entity_id: first.linked_entity_ids[0] })).toEqual([
        'The Store is one file.',
        'The store is ÖLIG.',
      ]);
      expect(await list({ letters: ' file  STORE ' })).toEqual(['The Store is one file.']);
      expect(await list({ letters: 'ÖLIG' })).toEqual(['The store is ÖLIG.']);
      expect(await list({ letters: last.node_id })).toEqual(['The Store is one file.']);
      expect(await list({ letters: '%' })).toEqual([]);
      expect(await list({ limit: 2, before: last.node_id })).toEqual(['Nothing of the kind.', 'The store is ÖLIG.']);
      expect(await list({ entity_id: first.linked_entity_ids[0], before: last.node_id, letters: 'store' })).toEqual([
        'The store is ÖLIG.',
      ]);
      expect(await memory.refused('nodes', { before: 'f_nothing0' })).toMatch(/^not_found: .*before/);
      await memory.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      expect(await list({ entity_id: first.linked_entity_ids[0] })).toEqual([]);
      expect(await memory.refused('nodes', { before: last.node_id })).toMatch(/^not_found: /);
    }));

  test('refuses a kind that there is not', () =>
    withMemory(async (memory) => {
      expect(await memory.refused('nodes', { kinds: ['thought'] })).toMatch(
        /^invalid_input: "kinds\[0\]" must be one of/,
      );
    }));
});

describe('entities', () => {
  test('are found by letters of a name, those that begin with them first, then those that most is known about', () =>
    withMemory(async (memory) => {
      await store(memory, 'One.', { entities: ['UserStore', 'store', 'parser'] });
      await store(memory, 'Two.', { entities: ['UserStore', 'Storage'] });
      await store(memory, 'Three.', { entities: ['UserStore', 'Storage'] });
      const list = async (input: object) =>
        (await memory.ok<ListedEntity[]>('entities', input)).map(({ content, degree }) => [content, degree]);
      expect(await list({ letters: 'STOR' })).toEqual([
        ['Storage', 2],
        ['store', 1],
        ['UserStore', 3],
      ]);
      expect(await list({ limit: 2 })).toEqual([
        ['UserStore', 3],
        ['Storage', 2],
      ]);
      expect(await list({ letters: '%' })).toEqual([]);
      // What is forgotten is not known of them any more.
      const [{ id } = { id: '' }] = await memory.ok<{ id: string }[]>('nodes', { kinds: ['fact'], letters: 'three' });
      await memory.ok('memory_forget', { node_id: id });
      expect(await list({ limit: 2 })).toEqual([
        ['UserStore', 2],
        ['Storage', 1],
      ]);
      await memory.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      expect(await list({})).toEqual([]);
    }));

  test('refuse letters that are no text', () =>
    withMemory(async (memory) => {
      expect(await memory.refused('entities', { letters: 7 })).toMatch(/^invalid_input: "letters" must be text/);
    }));
});

describe('aliases', () => {
  test('are those of the entity alone', () =>
    withMemory(async (memory) => {
      const nodes = ['Store', 'Parser', 'Printer'].map((content, i) => ({
        kind: 'entity',
        content,
        aliases: ['the first', 'the second'].slice(i).map((alias) => `${alias} of ${content}`),
      }));
      await memory.ok('memory_import', { nodes });
      const listed = await memory.ok<ListedEntity[]>('entities', { letters: 'r' });
      const expected = {
        Store: ['the first of Store', 'the second of Store'],
        Parser: ['the second of Parser'],
        Printer: [],
      };
      expect(Object.fromEntries(listed.map(({ content, aliases }) => [content, [...aliases].sort()]))).toEqual(
        expected,
      );
      for (const { id, content } of listed) {
        const { aliases } = await memory.ok<NodeDetails>('node', { id });
        expect([...aliases].sort()).toEqual(expected[content as keyof typeof expected]);
      }
    }));
});

describe('namespaces', () => {
  test('hold the default one while it is empty, and another one is active', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      await store(memory, 'One.');
      expect((await memory.ok<NamespaceCounts[]>('namespaces')).map(({ name }) => name)).toEqual([
        'default',
        'elsewhere',
      ]);
    }));

  test('are listed with what they hold, the active one marked even while it is empty', () =>
    withMemory(async (memory) => {
      const list = () => memory.ok<NamespaceCounts[]>('namespaces');
      expect(await list()).toEqual([
        { name: 'default', memories: 0, closed: 0, entities: 0, sessions: 0, active: true },
      ]);
      const gone = await store(memory, 'One.', { entities: ['store'] });
      await store(memory, 'Two.', { supersedes: gone.node_id });
      await memory.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      expect(await list()).toEqual([
        { name: 'default', memories: 1, closed: 1, entities: 1, sessions: 1, active: false },
        { name: 'elsewhere', memories: 0, closed: 0, entities: 0, sessions: 0, active: true },
      ]);
      await store(memory, 'Three.');
      expect((await list()).at(-1)).toEqual({
        name: 'elsewhere',
        memories: 1,
        closed: 0,
        entities: 0,
        sessions: 1,
        active: true,
      });
    }));
});

describe('sessions', () => {
  test('are found by words of their name, or of a memory that was stored in them', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_start_session', { name: 'Storage' });
      await store(memory, 'One file is enough.');
      await memory.ok('memory_end_session', { summary: 'Done.' });
      await memory.ok('memory_start_session', { name: 'Parser' });
      await store(memory, 'It is written by hand.');
      const list = async (letters: string) =>
        (await memory.ok<NodeSummary[]>('sessions', { letters })).map(({ content }) => content);
      expect(await list('')).toEqual(['Parser', 'Storage']);
      expect(await list('stor')).toEqual(['Storage']);
      expect(await list('HAND written')).toEqual(['Parser']);
      expect(await list('file hand')).toEqual([]);
      const matching = async (closed: boolean) =>
        (await memory.ok<{ matching: number }[]>('sessions', { letters: 'hand', closed })).map((one) => one.matching);
      const [last] = await memory.ok<NodeSummary[]>('nodes', { letters: 'hand' });
      await memory.ok('memory_forget', { node_id: last?.id });
      expect(await matching(false)).toEqual([0]);
      expect(await matching(true)).toEqual([1]);
    }));
});
