import { describe, expect, it } from 'vitest';
import type { HeldSession } from '../../src/server/memory/sessions/held-sessions';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact } from '../support/review';

const sessions = ({ ok }: MemoryTest, input: object = {}) => ok<HeldSession[]>('sessions', input);
const start = async ({ ok }: MemoryTest, name: string): Promise<string> =>
  (await ok<{ session_id: string }>('memory_start_session', { name })).session_id;

describe('sessions', () => {
  it('calls one that a write has opened by what was stored in it', () =>
    withMemory(async (test) => {
      await storeFact(test, 'The first fact');
      expect(await test.text('sessions')).toMatch(/ — The first fact$/);
    }));

  it('shows who opened each session, and whether it still holds it', () =>
    withMemory(async (test) => {
      const mine = await start(test, 'Mine');
      await storeFact(test, 'A fact');
      test.later(1_000);
      const another = await test.another({ pid: 4711 });
      const left = await start(another, 'Of one that ended');
      await another.project.close();
      test.later(1_000);
      const far = await start(await test.another({ pid: 7, host: 'elsewhere' }), 'Of another machine');
      const found = await sessions(test);
      expect(found.map(({ id, current, holder }) => [id, current, holder?.pid, holder?.host, holder?.alive])).toEqual([
        [far, false, 7, 'elsewhere', true],
        [left, false, 4711, 'test-host', false],
        [mine, true, process.pid, 'test-host', true],
      ]);
      expect(found[2]).toEqual({
        id: mine,
        content: 'Mine',
        recorded_at: '2026-03-31T12:00:00.000Z',
        node_count: 1,
        valid_until: null,
        tombstoned: 0,
        namespace: 'default',
        current: true,
        last_write_at: '2026-03-31T12:00:00.000Z',
        holder: { pid: process.pid, host: 'test-host', client: 'test', alive: true },
        topic: null,
        origin: { kind: 'agent', name: 'test', hash: null, store: null, marked: false },
        valid: 1,
        matching: null,
      });
      expect(await test.text('sessions')).toContain(
        `- [${left}] 2026-03-31 12:00 · open · default · 0 stored · test (4711 on test-host, left it) — Of one that ended`,
      );
      expect(await test.text('sessions')).toContain('(7 on elsewhere, holds it) — Of another machine');
      await test.ok('memory_end_session', { summary: 'Done.' });
      expect(await test.text('sessions')).toContain(`test (${process.pid} on test-host) — Mine`);
      expect((await sessions(test))[2]?.holder?.alive).toBe(false);
    }));

  it('shows open ones only, the active namespace, another one, or all of them', () =>
    withMemory(async (test) => {
      await start(test, 'Ended');
      await test.ok('memory_end_session', { summary: 'Done.' });
      test.later(1_000);
      await start(test, 'Cleared');
      await test.ok('memory_clear_session', { session_id: (await sessions(test, { open: true }))[0]?.id });
      test.later(1_000);
      await start(test, 'Open');
      test.later(1_000);
      await start(await test.another({ namespace: 'other' }), 'There');
      const names = async (input: object) => (await sessions(test, input)).map(({ content }) => content);
      expect(await names({})).toEqual(['Open', 'Cleared', 'Ended']);
      expect(await names({ open: true })).toEqual(['Open']);
      expect(await names({ letters: 'EN O' })).toEqual(['Open']);
      expect(await names({ letters: '%' })).toEqual([]);
      expect(await names({ namespace: 'other' })).toEqual(['There']);
      expect(await names({ all_namespaces: true })).toEqual(['There', 'Open', 'Cleared', 'Ended']);
      expect(await names({ all_namespaces: true, limit: 1 })).toEqual(['There']);
      expect(await names({ namespace: 'nobody' })).toEqual([]);
    }));

  it('asks nothing that was forgotten who wrote a session, or what it was about', () =>
    withMemory(async (test) => {
      const { node_id } = await test.ok<{ node_id: string }>('memory_store', { content: 'A fact', kind: 'fact' });
      expect((await sessions(test))[0]).toMatchObject({ topic: 'A fact', origin: { name: 'test' } });
      await test.ok('memory_forget', { node_id });
      expect((await sessions(test))[0]).toMatchObject({ topic: null, origin: null });
    }));

  it('cuts what a session was about, and leaves a short one whole', () =>
    withMemory(async (test) => {
      const topic = async (): Promise<string | null | undefined> => (await sessions(test))[0]?.topic;
      await test.ok('memory_store', { content: 'a'.repeat(200), kind: 'fact' });
      expect(await topic()).toBe('a'.repeat(200));
      await test.ok('memory_store', { content: 'b'.repeat(201), kind: 'decision' });
      expect(await topic()).toBe(`${'b'.repeat(199)}…`);
    }));

  it('shows that an imported session is held by nobody', () =>
    withMemory(async (test) => {
      await test.ok('memory_import', { nodes: [{ id: 's_imported', content: 'Imported', kind: 'session' }] });
      expect(await sessions(test)).toEqual([
        expect.objectContaining({ id: 's_imported', holder: null, last_write_at: null }),
      ]);
    }));

  it('refuses a limit and a namespace that are none', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('sessions', { limit: 0 })).toMatch(/^invalid_input: "limit" must be at least 1/);
      expect(await refused('sessions', { namespace: 'a\nb' })).toMatch(/^invalid_input: "namespace" /);
    }));
});
