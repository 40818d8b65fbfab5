import { describe, expect, it } from 'vitest';
import { type MemoryTest, ON_FILE, withMemory } from '../support/memory';

interface Stored {
  readonly node_id: string;
  readonly created_entity_ids: string[];
}
interface Forgotten {
  readonly count: number;
  readonly mode: string;
  readonly ids: string[];
}

const FACT = { content: 'The build takes nine minutes', kind: 'fact' };
const DAY_MS = 86_400_000;

const store = async ({ ok }: MemoryTest, more: object = {}): Promise<string> =>
  (await ok<Stored>('memory_store', { ...FACT, ...more })).node_id;

const allIds = async ({ memory }: MemoryTest): Promise<string[]> =>
  (await memory.sql.all<{ id: string }>('SELECT id FROM mem_nodes ORDER BY seq')).map((row) => row.id);

describe('memory_forget', () => {
  it('hides a memory: kept, in the timeline, out of recall, dossier and counts', () =>
    withMemory(async (test) => {
      const { ok, text } = test;
      const id = await store(test, { entities: ['CI'] });
      const answer = await text('memory_forget', { node_id: id });
      expect(answer).toMatchInlineSnapshot(`"{"count":1,"mode":"tombstone","ids":["f_aaaaaaac"]}"`);
      expect(await test.memory.sql.get('SELECT tombstoned, valid_until FROM mem_nodes WHERE id = $id', { id })).toEqual(
        {
          tombstoned: 1,
          valid_until: null,
        },
      );
      expect(await text('memory_recall', { query: 'build minutes' })).toContain('0 items');
      expect(await text('memory_recall', { query: 'build', as_of: '2026-03-31' })).toContain('0 items');
      expect(await text('memory_about', { entity: 'CI' })).toContain('0 items');
      expect(await text('memory_timeline', { topic: 'build minutes' })).toContain(id);
      expect(await ok('memory_stats')).toMatchObject({ kind_counts: { fact: 0 } });
    }));

  it('keeps the full-text entry, so that setting tombstoned back restores it', () =>
    withMemory(async (test) => {
      const id = await store(test);
      await test.ok('memory_forget', { node_id: id });
      await test.project.store.transact((sql) => sql.run('UPDATE mem_nodes SET tombstoned = 0'));
      expect(await test.text('memory_recall', { query: 'build minutes' })).toContain(id);
    }));

  it('purges a memory: row, full-text entry, edges and its place in the timeline', () =>
    withMemory(async (test) => {
      const id = await store(test, { entities: ['CI'] });
      const { seq } =
        (await test.memory.sql.get<{ seq: number }>('SELECT seq FROM mem_nodes WHERE id = $id', { id })) ?? {};
      expect(await test.ok('memory_forget', { node_id: id, purge: true })).toEqual({
        count: 1,
        mode: 'purge',
        ids: [id],
        // Of today, made before this call. An engine has its own.
        ...(ON_FILE ? { removed_backups: 1 } : { remains: expect.stringContaining('admin erase') }),
      });
      expect(await test.text('memory_timeline', { topic: 'build minutes' })).not.toContain(id);
      for (const table of ['mem_nodes WHERE seq', 'mem_fts WHERE rowid', 'mem_edges WHERE src']) {
        expect(await test.memory.sql.all(`SELECT 1 FROM ${table} = $seq`, { seq: seq ?? 0 })).toEqual([]);
      }
    }));

  it('leaves the entities of purged memories', () =>
    withMemory(async (test) => {
      const id = await store(test, { entities: ['CI'] });
      await test.ok('memory_forget', { node_id: id, purge: true });
      expect(await test.ok('memory_stats')).toMatchObject({ kind_counts: { fact: 0, entity: 1 } });
      expect(await test.ok<Stored>('memory_store', { ...FACT, entities: ['ci'] })).toMatchObject({
        created_entity_ids: [],
      });
    }));

  it('refuses a call without a selector', () =>
    withMemory(async ({ refused }) => {
      const words = 'invalid_input: memory_forget was called without a selector. Give node_id, entity or before.';
      expect(await refused('memory_forget')).toBe(words);
      expect(await refused('memory_forget', { purge: true, node_id: null, entity: null, before: null })).toBe(words);
    }));

  it('answers a selector that matches nothing with nothing', () =>
    withMemory(async ({ ok }) => {
      const nothing = { count: 0, mode: 'tombstone', ids: [] };
      expect(await ok('memory_forget', { node_id: 'f_zzzzzzzz' })).toEqual(nothing);
      expect(await ok('memory_forget', { entity: 'nobody' })).toEqual(nothing);
      expect(await ok('memory_forget', { before: '2020-01-01', purge: true })).toEqual({ ...nothing, mode: 'purge' });
    }));

  it('selects by entity the memories about it, by any of its names, and not the entity itself', () =>
    withMemory(async (test) => {
      const about = await store(test, { entities: ['CI', 'Docker'] });
      const other = await store(test, { content: 'It runs in Docker', entities: ['Docker'] });
      expect(await test.ok('memory_forget', { entity: 'ci' })).toEqual({ count: 1, mode: 'tombstone', ids: [about] });
      const [docker] = await test.memory.sql.all<{ id: string }>(`SELECT id FROM mem_nodes WHERE content = 'Docker'`);
      const { ids } = await test.ok<Forgotten>('memory_forget', { entity: docker?.id });
      // The first one is forgotten already.
      expect(ids).toEqual([other]);
      expect(await test.ok('memory_stats')).toMatchObject({ kind_counts: { entity: 2, fact: 0 } });
    }));

  it('joins several selectors with OR, each memory once', () =>
    withMemory(async (test) => {
      const old = await store(test, { entities: ['CI'] });
      test.later(DAY_MS);
      const byId = await store(test, { content: 'CI has a cache', entities: ['CI'] });
      const byEntity = await store(test, { content: 'CI is slow', entities: ['CI'] });
      const kept = await store(test, { content: 'Nothing else' });
      const { ids } = await test.ok<Forgotten>('memory_forget', { node_id: byId, entity: 'CI', before: '2026-04-01' });
      expect(ids).toEqual([old, byId, byEntity]);
      expect(ids).not.toContain(kept);
    }));

  describe('before', () => {
    it('is strict on recorded_at, and valid_from does not count', () =>
      withMemory(async (test) => {
        const early = await store(test, { valid_from: '2030-01-01' });
        test.later(1);
        const at = await store(test, { valid_from: '2000-01-01' });
        const { ids } = await test.ok<Forgotten>('memory_forget', { before: '2026-03-31T12:00:00.001Z' });
        expect(ids).toEqual([early]);
        expect(await test.text('memory_recall', { query: 'build' })).toContain(at);
      }));

    it('means the start of a bare date', () =>
      withMemory(async (test) => {
        await store(test);
        expect(await test.ok('memory_forget', { before: '2026-03-31' })).toMatchObject({ count: 0 });
      }));

    it('spares entities that a surviving memory refers to, and open sessions', () =>
      withMemory(async (test) => {
        await store(test, { entities: ['CI', 'Docker'] });
        const theirs = await (await test.another()).ok<{ session_id: string }>('memory_start_session', {
          name: 'theirs',
        });
        test.later(DAY_MS);
        const kept = await store(test, { content: 'CI is slow', entities: ['CI'] });
        await test.ok('memory_forget', { before: '2026-04-01', purge: true });
        const left = await test.memory.sql.all<{ kind: string; id: string; content: string }>(
          'SELECT kind, id, content FROM mem_nodes ORDER BY seq',
        );
        expect(left.map(({ kind, content }) => [kind, content])).toEqual([
          ['session', 'test session of 2026-03-31 12:00'],
          ['entity', 'CI'],
          ['session', 'theirs'],
          ['fact', 'CI is slow'],
        ]);
        expect(left.map((node) => node.id)).toEqual(expect.arrayContaining([kept, theirs.session_id]));
      }));

    it('takes closed sessions with all that was stored in them', () =>
      withMemory(async (test) => {
        await store(test);
        await test.ok('memory_end_session', { summary: 'done' });
        test.later(DAY_MS);
        expect(await test.ok('memory_forget', { before: '2026-04-01', purge: true })).toMatchObject({ count: 3 });
        expect(await allIds(test)).toEqual([]);
      }));

    it('reaches the active namespace only', () =>
      withMemory(async (test) => {
        const here = await store(test);
        const there = await store(test, { namespace: 'other' });
        test.later(DAY_MS);
        await test.ok('memory_forget', { before: '2027-01-01', purge: true });
        expect(await allIds(test)).toContain(here);
        expect(await allIds(test)).not.toContain(there);
      }));

    it('must be a date', () =>
      withMemory(async ({ refused }) => {
        expect(await refused('memory_forget', { before: 'last week' })).toBe(
          'invalid_input: "before" is "last week", which is not an ISO-8601 date or date-time. Write it like 2026-03-31 or 2026-03-31T09:30:00Z.',
        );
      }));
  });

  it('gives the row number of a purged memory to another without confusing the two', () =>
    withMemory(async (test) => {
      await store(test);
      const last = await store(test, { content: 'Zebras are striped', entities: ['zoo'] });
      await test.text('memory_recall', { query: 'zebras' });
      await test.ok('memory_forget', { node_id: last, purge: true });
      await store(test, { content: 'Lions roar' });
      expect(await test.text('memory_recall', { query: 'zebras' })).toContain('0 items');
      expect(await test.text('memory_about', { entity: 'zoo' })).toContain('0 items');
    }));
});
