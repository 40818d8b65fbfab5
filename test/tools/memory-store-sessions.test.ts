import { describe, expect, it } from 'vitest';
import { withMemory } from '../support/memory';

interface Stored {
  readonly node_id: string;
}
interface Started {
  readonly session_id: string;
  readonly created: boolean;
}
interface Session {
  readonly id: string;
  readonly node_count: number;
}

const FACT = { content: 'The build takes nine minutes', kind: 'fact' };
const OTHER = { content: 'The tests take two minutes', kind: 'fact' };

describe('the session of a stored memory', () => {
  it('is opened by the first write and used by the following ones', () =>
    withMemory(async ({ ok }) => {
      await ok('memory_store', FACT);
      await ok('memory_store', OTHER);
      expect(await ok<Session[]>('memory_list_sessions')).toEqual([
        expect.objectContaining({ content: 'test session of 2026-03-31 12:00', node_count: 2 }),
      ]);
    }));

  it('is the one named by session_id, which does not become the current one', () =>
    withMemory(async ({ ok, another }) => {
      const theirs = await (await another()).ok<Started>('memory_start_session', { name: 'theirs' });
      const own = await ok<Started>('memory_start_session', { name: 'own' });
      await ok('memory_store', { ...FACT, session_id: theirs.session_id });
      await ok('memory_store', OTHER);
      const sessions = await ok<Session[]>('memory_list_sessions');
      expect(sessions.map(({ id, node_count }) => [id, node_count])).toEqual([
        [own.session_id, 1],
        [theirs.session_id, 1],
      ]);
    }));

  it('must be there, open, a session, and of this namespace', () =>
    withMemory(async ({ ok, refused }) => {
      const { session_id } = await ok<Started>('memory_start_session', { name: 'ended' });
      await ok('memory_end_session', { summary: 'done' });
      const cleared = await ok<Started>('memory_start_session', { name: 'cleared' });
      const { node_id } = await ok<Stored>('memory_store', FACT);
      await ok('memory_clear_session', { session_id: cleared.session_id });
      const elsewhere = await ok<Started>('memory_start_session', { name: 'elsewhere', namespace: 'other' });
      await ok('memory_switch_namespace', { namespace: 'default' });
      const storing = (id: string) => refused('memory_store', { ...FACT, session_id: id });
      expect(await storing('s_zzzzzzzz')).toMatch(
        /^not_found: There is no session "s_zzzzzzzz" \(parameter "session_id"/,
      );
      expect(await storing(node_id)).toMatch(/^not_found: /);
      expect(await storing(elsewhere.session_id)).toMatch(/^not_found: /);
      expect(await storing(session_id)).toMatch(/^conflict: The session s_\w+ is closed\. /);
      expect(await storing(cleared.session_id)).toMatch(/^conflict: The session s_\w+ is cleared\. /);
    }));

  it('is a fresh one after a switch of the namespace', () =>
    withMemory(async ({ ok }) => {
      const first = await ok<Started>('memory_start_session', { name: 'first' });
      await ok('memory_switch_namespace', { namespace: 'default' });
      await ok('memory_store', FACT);
      const sessions = await ok<Session[]>('memory_list_sessions');
      expect(sessions.map(({ id, node_count }) => [id, node_count])).toEqual([
        [expect.not.stringMatching(first.session_id), 1],
        [first.session_id, 0],
      ]);
    }));

  it('is a fresh one after a namespace was named, even the active one', () =>
    withMemory(async ({ ok }) => {
      await ok('memory_store', FACT);
      await ok('memory_store', { ...OTHER, namespace: 'default' });
      await ok('memory_store', { ...FACT, kind: 'outcome', namespace: 'default' });
      expect((await ok<Session[]>('memory_list_sessions')).map((session) => session.node_count)).toEqual([1, 1, 1]);
    }));

  it('is a fresh one when another process has cleared or ended it', () =>
    withMemory(async ({ ok, another }) => {
      const { session_id } = await ok<Started>('memory_start_session', { name: 'first' });
      const other = await another();
      await other.ok('memory_clear_session', { session_id });
      await ok('memory_store', FACT);
      const sessions = await ok<Session[]>('memory_list_sessions');
      expect(sessions.map(({ id, node_count }) => [id === session_id, node_count])).toEqual([
        [false, 1],
        [true, 0],
      ]);
    }));

  it('is each process its own', () =>
    withMemory(async ({ ok, another }) => {
      const other = await another({ pid: 4711, host: 'elsewhere' });
      await Promise.all([ok('memory_store', FACT), other.ok('memory_store', OTHER)]);
      const sessions = await ok<Session[]>('memory_list_sessions');
      expect(sessions.map((session) => session.node_count)).toEqual([1, 1]);
    }));

  it('names the process, host and client that hold it', () =>
    withMemory(
      async ({ ok, memory }) => {
        await ok('memory_store', FACT);
        expect(await memory.sql.all('SELECT pid, host, client, last_write_at FROM mem_sessions')).toEqual([
          { pid: 4711, host: 'elsewhere', client: 'test', last_write_at: '2026-03-31T12:00:00.000Z' },
        ]);
      },
      { pid: 4711, host: 'elsewhere' },
    ));

  it('tells when it was last written to', () =>
    withMemory(async ({ ok, later, memory }) => {
      await ok('memory_store', FACT);
      later(60_000);
      await ok('memory_store', FACT);
      expect(await memory.sql.all('SELECT last_write_at FROM mem_sessions')).toEqual([
        { last_write_at: '2026-03-31T12:01:00.000Z' },
      ]);
    }));
});

describe('the namespace of a stored memory', () => {
  it('is switched to before writing, and stays the active one', () =>
    withMemory(async ({ ok, text, memory }) => {
      const { node_id } = await ok<Stored>('memory_store', { ...FACT, namespace: ' team ' });
      expect(memory.scope.namespace).toBe('team');
      expect(await text('memory_recall', { query: 'build' })).toContain(node_id);
      await ok('memory_switch_namespace', { namespace: 'default' });
      expect(await text('memory_recall', { query: 'build' })).toContain('0 items');
    }));

  it('stays as it was when the call is refused', () =>
    withMemory(async ({ ok, refused, memory }) => {
      const { session_id } = await ok<Started>('memory_start_session', { name: 'work' });
      await refused('memory_store', { ...FACT, namespace: 'team', supersedes: 'f_zzzzzzzz' });
      expect(memory.scope.namespace).toBe('default');
      expect(await ok<Started>('memory_start_session', { name: 'again' })).toEqual({ session_id, created: false });
    }));
});
