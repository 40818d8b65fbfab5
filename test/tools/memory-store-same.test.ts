import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Undone } from '../../src/server/memory/history/undo';
import { type MemoryTest, ON_FILE, withMemory } from '../support/memory';

interface Stored {
  readonly node_id: string;
  readonly similar?: readonly { readonly node_id: string; readonly relation: string }[];
}

const DECISION = { content: 'We use one SQLite file, no server', kind: 'decision' };
const REASONS = { rationale: 'Nobody runs a server for notes', alternatives_rejected: ['Postgres', 'files'] };

const store = ({ ok }: MemoryTest, input: object) => ok<Stored>('memory_store', input);
const memories = ({ memory }: MemoryTest) =>
  memory.sql.all<{ id: string }>("SELECT id FROM mem_nodes WHERE kind NOT IN ('entity', 'session') ORDER BY seq");
const reasonsOf = ({ memory }: MemoryTest, id: string) =>
  memory.sql.get('SELECT rationale, alternatives_rejected FROM mem_nodes WHERE id = $id', { id });
const whyOf = ({ text }: MemoryTest) => text('memory_why', { decision_ref: 'one SQLite file' });

describe('memory_store of what is there already', () => {
  it.each([
    ['as it is', DECISION.content],
    ['in another case', 'WE USE ONE SQLITE FILE, NO SERVER'],
    ['with other spaces', '  We use one\n SQLite   file,\tno server '],
    ['with other marks at its end', 'We use one SQLite file, no server. …'],
  ])('%s answers with the one that is there, and stores nothing', (_, content) =>
    withMemory(async (test) => {
      const { node_id } = await store(test, DECISION);
      expect(await test.text('memory_store', { ...DECISION, content })).toBe(
        `{"node_id":"${node_id}","linked_entity_ids":[],"created_entity_ids":[],"similar":[{"node_id":"${node_id}","relation":"same"}]}`,
      );
      expect(await memories(test)).toHaveLength(1);
    }),
  );

  it.each([
    ['other words', { content: 'We use two SQLite files, no server' }],
    ['another mark inside', { content: 'We use one SQLite file; no server' }],
    ['another kind', { kind: 'fact' }],
    ['another thing that it is about', { entities: ['Redis'] }],
    ['one thing more that it is about', { entities: ['SQLite', 'Redis'] }],
    ['another namespace', { namespace: 'other' }],
    ['a date', { valid_from: '2026-03-01' }],
  ])('stores one with %s', (_, other) =>
    withMemory(async (test) => {
      const first = { ...DECISION, entities: ['SQLite'] };
      await store(test, first);
      await store(test, { content: 'Redis is fast', kind: 'fact', entities: ['Redis'] });
      expect(await store(test, { ...first, ...other })).not.toHaveProperty('similar.0.relation', 'same');
      expect(await memories(test)).toHaveLength(3);
    }),
  );

  it('counts as the same about fewer things, and about one by another of its names', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, { ...DECISION, entities: ['SQLite', 'Store'] });
      for (const entities of [[], ['store'], ['SQLITE', 'Store']]) {
        expect(await store(test, { ...DECISION, entities })).toMatchObject({ node_id });
      }
      expect(await memories(test)).toHaveLength(1);
    }));

  it('stores what supersedes, and what names a session', () =>
    withMemory(async (test) => {
      const { session_id } = await test.ok<{ session_id: string }>('memory_start_session', { name: 'work' });
      const { node_id } = await store(test, DECISION);
      expect((await store(test, { ...DECISION, session_id })).node_id).not.toBe(node_id);
      expect((await store(test, { ...DECISION, supersedes: node_id })).node_id).not.toBe(node_id);
      expect(await memories(test)).toHaveLength(3);
    }));

  it.each([
    ['superseded', ({ ok }: MemoryTest, id: string) => ok('memory_store', { ...DECISION, supersedes: id })],
    ['refuted', ({ ok }: MemoryTest, id: string) => ok('memory_verify', { node_id: id, status: 'refute' })],
    ['forgotten', ({ ok }: MemoryTest, id: string) => ok('memory_forget', { node_id: id })],
    ['purged', ({ ok }: MemoryTest, id: string) => ok('memory_forget', { node_id: id, purge: true })],
  ])('does not find one that was %s', (_, close) =>
    withMemory(async (test) => {
      const { node_id } = await store(test, DECISION);
      await close(test, node_id);
      expect((await store(test, DECISION)).node_id).not.toBe(node_id);
    }),
  );

  it('does not take one that is not valid yet for what is true now', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, { ...DECISION, valid_from: '2027-01-01' });
      expect((await store(test, DECISION)).node_id).not.toBe(node_id);
    }));

  it('keeps each outcome of a session, and each object of an import', () =>
    withMemory(async (test) => {
      const outcome = { content: 'done', kind: 'outcome' };
      await store(test, outcome);
      await test.ok('memory_end_session', { summary: 'done' });
      await test.ok('memory_import', { nodes: [outcome, outcome] });
      expect(await memories(test)).toHaveLength(4);
      expect(await store(test, { ...outcome, content: 'Done.' })).toHaveProperty('similar.0.relation', 'same');
    }));

  it('finds what a long import brought', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 2_100 }, (_, i) => ({ content: `Fact ${i}`, kind: 'fact' }));
      const { node_ids } = await test.ok<{ node_ids: string[] }>('memory_import', { nodes });
      expect(await store(test, { content: 'fact 2099', kind: 'fact' })).toMatchObject({ node_id: node_ids[2_099] });
    }));

  it('of two texts without a word is the same only where they are', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, { content: '!?', kind: 'fact' });
      expect((await store(test, { content: '!!', kind: 'fact' })).node_id).not.toBe(node_id);
      expect((await store(test, { content: '!?', kind: 'fact' })).node_id).toBe(node_id);
    }));

  it('counts as a use, and goes on with the session', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, DECISION);
      test.later(60_000);
      await store(test, DECISION);
      expect(await test.memory.sql.all('SELECT id, uses FROM mem_nodes WHERE uses > 0')).toEqual([
        { id: node_id, uses: 1 },
      ]);
      expect(await test.memory.sql.all('SELECT last_write_at FROM mem_sessions')).toEqual([
        { last_write_at: '2026-03-31T12:01:00.000Z' },
      ]);
    }));

  it('is one memory when two processes store it at once', () =>
    withMemory(async (test) => {
      const other = await test.another({ pid: 4711, host: 'elsewhere' });
      const [one, two] = await Promise.all([store(test, DECISION), store(other, DECISION)]);
      expect(one.node_id).toBe(two.node_id);
      expect(await memories(test)).toHaveLength(1);
    }));
});

describe('the reasons of a decision that is stored again', () => {
  it('fill what was empty, and are found', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, DECISION);
      await store(test, { ...DECISION, ...REASONS });
      expect(await whyOf(test)).toContain('Nobody runs a server for notes');
      expect(await test.text('memory_recall', { query: 'Postgres' })).toContain(node_id);
    }));

  it('replace nothing that is there', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, { ...DECISION, rationale: 'One file is easy to copy' });
      await store(test, { ...DECISION, ...REASONS });
      expect(await reasonsOf(test, node_id)).toEqual({
        rationale: 'One file is easy to copy',
        alternatives_rejected: '["Postgres","files"]',
      });
    }));

  it('are kept when the decision comes back without them', () =>
    withMemory(async (test) => {
      await store(test, { ...DECISION, ...REASONS });
      await store(test, DECISION);
      expect(await whyOf(test)).toContain('Nobody runs a server for notes');
    }));

  it('are taken back by undo, come back when that is undone, and are taken back again', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, DECISION);
      await store(test, { ...DECISION, ...REASONS });
      const full = { rationale: REASONS.rationale, alternatives_rejected: '["Postgres","files"]' };
      expect(await reasonsOf(test, node_id)).toEqual(full);
      const undone = await test.ok<Undone>('undo');
      expect(undone).toMatchObject({ tool: 'memory_store', node_ids: [node_id], forgotten_ids: [] });
      expect(await reasonsOf(test, node_id)).toEqual({ rationale: null, alternatives_rejected: null });
      expect(await test.text('memory_recall', { query: 'Postgres' })).not.toContain(node_id);
      await test.ok('undo', { operation: undone.operation });
      expect(await reasonsOf(test, node_id)).toEqual(full);
      expect(await test.text('memory_recall', { query: 'Postgres' })).toContain(node_id);
      await test.ok('undo');
      expect(await reasonsOf(test, node_id)).toEqual({ rationale: null, alternatives_rejected: null });
    }));

  it('are no operation where there is nothing to fill: undo takes back what was done before', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, DECISION);
      await store(test, DECISION);
      expect(await test.ok<Undone>('undo')).toMatchObject({ forgotten_ids: [node_id] });
    }));

  it('stand in the history of the memory as an event, without their text', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, DECISION);
      await store(test, { ...DECISION, ...REASONS });
      const history = await test.text('history', { id: node_id });
      expect(history).toContain('stored again, and filled in · test');
      expect(history).not.toContain('Postgres');
    }));

  // Of a store in an engine, admin erase does this (test/team/engine.test.ts).
  it.runIf(ON_FILE).each(['filled in', 'taken back', 'done again'])(
    'leave no byte when the memory is purged after they were %s',
    (state) =>
      withMemory(async (test) => {
        const { node_id } = await store(test, DECISION);
        await store(test, { ...DECISION, rationale: 'zebracrossing', alternatives_rejected: ['quaggapath'] });
        if (state !== 'filled in') {
          const { operation } = await test.ok<Undone>('undo');
          if (state === 'done again') await test.ok('undo', { operation });
        }
        await test.ok('memory_forget', { node_id, purge: true });
        for (const file of ['memory.db', 'memory.db-wal']) {
          const bytes = readFileSync(join(test.folder, '.svc', file)).toString('latin1');
          expect(bytes).not.toMatch(/zebracross|quaggapath/);
        }
      }),
  );
});
