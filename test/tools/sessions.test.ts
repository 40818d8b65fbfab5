import { describe, expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';

interface Started {
  readonly session_id: string;
  readonly created: boolean;
}
interface Session {
  readonly id: string;
  readonly node_count: number;
  readonly valid_until: string | null;
  readonly tombstoned: number;
}
interface Ended {
  readonly closed_session_id: string;
  readonly outcome_id: string;
}

const FACT = { content: 'The build takes nine minutes', kind: 'fact' };
const MINUTE_MS = 60_000;

const start = ({ ok }: MemoryTest, name: string, more: object = {}) =>
  ok<Started>('memory_start_session', { name, ...more });
const sessions = ({ ok }: MemoryTest, limit?: number) =>
  ok<Session[]>('memory_list_sessions', limit === undefined ? {} : { limit });

describe('memory_start_session', () => {
  it('opens a session', () =>
    withMemory(async ({ text }) => {
      const answer = await text('memory_start_session', { name: 'Fix the login' });
      expect(answer).toMatchInlineSnapshot(`"{"session_id":"s_aaaaaaaa","created":true}"`);
    }));

  it('goes on with the open one', () =>
    withMemory(async (test) => {
      const { session_id } = await start(test, 'first');
      expect(await start(test, 'second')).toEqual({ session_id, created: false });
      expect(await sessions(test)).toEqual([expect.objectContaining({ content: 'first', valid_until: null })]);
    }));

  it('opens another one when another process has cleared or ended it', () =>
    withMemory(async (test) => {
      const first = await start(test, 'first');
      const other = await test.another();
      await other.ok('memory_clear_session', { session_id: first.session_id });
      const second = await start(test, 'second');
      expect(second.created).toBe(true);
      expect(second.session_id).not.toBe(first.session_id);
      expect(await start(test, 'third')).toEqual({ session_id: second.session_id, created: false });
    }));

  it('goes on with one that a write has opened', () =>
    withMemory(async (test) => {
      await test.ok('memory_store', FACT);
      expect((await start(test, 'second')).created).toBe(false);
    }));

  it('switches the namespace first and resets the session, even for the active one', () =>
    withMemory(async (test) => {
      const first = await start(test, 'first');
      const there = await start(test, 'there', { namespace: 'other' });
      expect(there.created).toBe(true);
      expect(await test.ok('memory_switch_namespace', { namespace: 'other' })).toMatchObject({
        previous_namespace: 'other',
      });
      const again = await start(test, 'again', { namespace: 'other' });
      expect(again.created).toBe(true);
      expect(new Set([first.session_id, there.session_id, again.session_id]).size).toBe(3);
    }));

  it('refuses a name that is longer than a memory may be', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_start_session', { name: 'x'.repeat(100_001) })).toContain(
        '"name" is longer than 100 kB',
      );
    }));

  it.each(['', '  \n\t', '\u0000\u0001'])('refuses the blank name %j', (name) =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_start_session', { name })).toBe(
        'invalid_input: "name" is blank. The parameters of memory_start_session are name (required), namespace.',
      );
    }),
  );
});

describe('memory_end_session', () => {
  it('closes the session and keeps the summary as its outcome', () =>
    withMemory(async (test) => {
      const { session_id } = await start(test, 'work');
      test.later(MINUTE_MS);
      const answer = await test.text('memory_end_session', { summary: 'Login is fixed' });
      expect(answer).toMatchInlineSnapshot(`"{"closed_session_id":"s_aaaaaaaa","outcome_id":"o_aaaaaaab"}"`);
      const { closed_session_id, outcome_id } = JSON.parse(answer) as Ended;
      expect(closed_session_id).toBe(session_id);
      expect(await sessions(test)).toEqual([
        expect.objectContaining({ id: session_id, node_count: 1, valid_until: '2026-03-31T12:01:00.000Z' }),
      ]);
      expect(
        await test.memory.sql.all(
          `SELECT e.type, o.id, o.kind, o.content, s.id AS session FROM mem_edges AS e
           JOIN mem_nodes AS o ON o.seq = e.src JOIN mem_nodes AS s ON s.seq = e.dst`,
        ),
      ).toEqual([
        { type: 'OCCURRED_IN', id: outcome_id, kind: 'outcome', content: 'Login is fixed', session: session_id },
      ]);
    }));

  it('queues a consolidation job', () =>
    withMemory(async (test) => {
      await test.ok('memory_end_session', { summary: 'done' });
      expect(await test.memory.sql.all('SELECT ns, state, queued_at FROM mem_jobs')).toEqual([
        { ns: 1, state: 'queued', queued_at: '2026-03-31T12:00:00.000Z' },
      ]);
    }));

  it('lets the next write open a fresh session', () =>
    withMemory(async (test) => {
      const { session_id } = await start(test, 'work');
      await test.ok('memory_end_session', { summary: 'done' });
      expect(await start(test, 'more')).toEqual({ session_id: expect.not.stringMatching(session_id), created: true });
    }));

  it('opens a session when none is open, so that the summary is kept', () =>
    withMemory(async (test) => {
      const { outcome_id } = await test.ok<Ended>('memory_end_session', { summary: 'Everything is deployed' });
      expect(await test.text('memory_recall', { query: 'deployed' })).toContain(outcome_id);
      expect(await sessions(test)).toHaveLength(1);
    }));

  it('is refused when it was ended already and nothing was stored since, and names the session', () =>
    withMemory(async (test) => {
      await start(test, 'work');
      await test.ok('memory_end_session', { summary: 'Login is fixed' });
      test.later(MINUTE_MS);
      expect(await test.refused('memory_end_session', { summary: 'Login is fixed, again' })).toBe(
        'conflict: There is no open session; the last one, s_aaaaaaaa, was ended at 2026-03-31T12:00:00.000Z. Its summary is kept. What is left to say can be stored with memory_store.',
      );
      expect(await sessions(test)).toHaveLength(1);
      await test.ok('memory_store', FACT);
      await test.ok('memory_end_session', { summary: 'More is done' });
      expect(await sessions(test)).toHaveLength(2);
    }));

  it.each([
    ['in another namespace', (test) => test.ok('memory_switch_namespace', { namespace: 'other' })],
    ['when the end was taken back', (test) => test.ok('undo', {})],
  ] satisfies [string, (test: MemoryTest) => Promise<unknown>][])('is not refused %s', (_, between) =>
    withMemory(async (test) => {
      await start(test, 'work');
      await test.ok('memory_end_session', { summary: 'Login is fixed' });
      await between(test);
      await test.ok('memory_end_session', { summary: 'All is fixed' });
    }),
  );

  it('refuses a blank summary and leaves the session open', () =>
    withMemory(async (test) => {
      await start(test, 'work');
      expect(await test.refused('memory_end_session', { summary: ' ' })).toMatch(
        /^invalid_input: "summary" is blank\. /,
      );
      expect(await sessions(test)).toEqual([expect.objectContaining({ valid_until: null, node_count: 0 })]);
    }));
});

describe('memory_list_sessions', () => {
  it('lists the sessions of the active namespace, newest first, cleared ones included', () =>
    withMemory(async (test) => {
      const cleared = await start(test, 'cleared');
      await test.ok('memory_store', FACT);
      await test.ok('memory_clear_session', { session_id: cleared.session_id });
      test.later(MINUTE_MS);
      await start(test, 'closed');
      await test.ok('memory_store', { ...FACT, entities: ['CI'] });
      await test.ok('memory_end_session', { summary: 'done' });
      test.later(MINUTE_MS);
      await start(test, 'open');
      expect(await test.ok('memory_list_sessions')).toMatchInlineSnapshot(`
        [
          {
            "content": "open",
            "id": "s_aaaaaaag",
            "node_count": 0,
            "recorded_at": "2026-03-31T12:02:00.000Z",
            "tombstoned": 0,
            "valid_until": null,
          },
          {
            "content": "closed",
            "id": "s_aaaaaaac",
            "node_count": 2,
            "recorded_at": "2026-03-31T12:01:00.000Z",
            "tombstoned": 0,
            "valid_until": "2026-03-31T12:01:00.000Z",
          },
          {
            "content": "cleared",
            "id": "s_aaaaaaaa",
            "node_count": 1,
            "recorded_at": "2026-03-31T12:00:00.000Z",
            "tombstoned": 1,
            "valid_until": null,
          },
        ]
      `);
      await test.ok('memory_switch_namespace', { namespace: 'other' });
      expect(await sessions(test)).toEqual([]);
    }));

  it('lists fifty unless told, and one to a thousand', () =>
    withMemory(async (test) => {
      for (let i = 0; i < 52; i++) await start(test, `session ${i}`, { namespace: 'default' });
      expect(await sessions(test)).toHaveLength(50);
      expect(await sessions(test, 1)).toEqual([expect.objectContaining({ content: 'session 51' })]);
      expect(await sessions(test, 1000)).toHaveLength(52);
      expect(await test.refused('memory_list_sessions', { limit: 0 })).toBe(
        'invalid_input: "limit" must be at least 1. The parameters of memory_list_sessions are limit.',
      );
      expect(await test.refused('memory_list_sessions', { limit: 1001 })).toContain('"limit" must be at most 1000.');
      expect(await test.refused('memory_list_sessions', { limit: 1.5 })).toContain('"limit" must be a whole number.');
    }));
});

describe('memory_clear_session', () => {
  it('hides the session and all that was stored in it, and spares entities', () =>
    withMemory(async (test) => {
      const { session_id } = await start(test, 'work');
      const { node_id } = await test.ok<{ node_id: string }>('memory_store', { ...FACT, entities: ['CI'] });
      const { outcome_id } = await test.ok<Ended>('memory_end_session', { summary: 'build is measured' });
      await test.ok('memory_store', { ...FACT, content: 'Another build fact' });
      expect(await test.ok('memory_clear_session', { session_id })).toEqual({
        count: 3,
        mode: 'tombstone',
        ids: [session_id, node_id, outcome_id],
      });
      const recalled = await test.text('memory_recall', { query: 'build' });
      expect(recalled).toContain('1 items');
      expect(recalled).toContain('Another build fact');
      expect(await test.ok('memory_stats')).toMatchObject({
        kind_counts: { entity: 1, fact: 1, outcome: 0, session: 1 },
      });
    }));

  it('deletes them for good with purge', () =>
    withMemory(async (test) => {
      const { session_id } = await start(test, 'work');
      await test.ok('memory_store', FACT);
      expect(await test.ok('memory_clear_session', { session_id, purge: true })).toMatchObject({
        count: 2,
        mode: 'purge',
      });
      expect(await test.memory.sql.all('SELECT id FROM mem_nodes')).toEqual([]);
      expect(await test.memory.sql.all('SELECT seq FROM mem_sessions')).toEqual([]);
    }));

  it('resets the open session when it is the one', () =>
    withMemory(async (test) => {
      const { session_id } = await start(test, 'work');
      await test.ok('memory_clear_session', { session_id });
      expect(test.memory.scope.session).toBeUndefined();
      expect((await start(test, 'more')).created).toBe(true);
    }));

  it('leaves the open session alone when it is another', () =>
    withMemory(async (test) => {
      const first = await start(test, 'first');
      await test.ok('memory_end_session', { summary: 'done' });
      const second = await start(test, 'second');
      await test.ok('memory_clear_session', { session_id: first.session_id });
      expect(await start(test, 'third')).toEqual({ session_id: second.session_id, created: false });
    }));

  it('clears nothing for an unknown id, an id of another kind or of another namespace', () =>
    withMemory(async (test) => {
      const { session_id } = await start(test, 'there', { namespace: 'other' });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      const { node_id } = await test.ok<{ node_id: string }>('memory_store', FACT);
      for (const id of ['s_zzzzzzzz', node_id, session_id]) {
        const answer = await test.ok('memory_clear_session', { session_id: id });
        expect(answer).toEqual({ count: 0, mode: 'tombstone', ids: [] });
      }
    }));
});
