import { describe, expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';

const DAY_MS = 86_400_000;

const store = async ({ ok }: MemoryTest, content: string, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more })).node_id;
const timeline = ({ text }: MemoryTest, topic: string, more: object = {}) =>
  text('memory_timeline', { topic, ...more });

describe('memory_timeline', () => {
  it('traces a topic, oldest first, superseded and forgotten memories included', () =>
    withMemory(async (test) => {
      const first = await store(test, 'The cache lives in Redis', { valid_from: '2026-01-05' });
      await store(test, 'The cache lives in memory', { valid_from: '2026-02-01', supersedes: first, confidence: 0.75 });
      await test.ok('memory_forget', {
        node_id: await store(test, 'The cache is cold on Mondays', { valid_from: '2026-01-20' }),
      });
      await store(test, 'Cats sleep');
      expect(await timeline(test, 'cache')).toMatchInlineSnapshot(`
        "## Memory timeline: 'cache'
        - [f_aaaaaaab] 2026-01-05 · conf 1.00 [superseded by f_aaaaaaac] — The cache lives in Redis
        - [f_aaaaaaad] 2026-01-20 · conf 1.00 — The cache is cold on Mondays
        - [f_aaaaaaac] 2026-02-01 · conf 0.75 — The cache lives in memory
        (Forgotten: f_aaaaaaad.)"
      `);
    }));

  it('orders by valid_from, then by recorded_at', () =>
    withMemory(async (test) => {
      const c = await store(test, 'cache c', { valid_from: '2026-02-01' });
      test.later(1000);
      const d = await store(test, 'cache d', { valid_from: '2026-02-01' });
      const a = await store(test, 'cache a', { valid_from: '2025-12-31' });
      const ids = [...(await timeline(test, 'cache')).matchAll(/\[(f_\w+)\]/g)].map(([, id]) => id);
      expect(ids).toEqual([a, c, d]);
    }));

  it('follows what superseded what, also where the words differ', () =>
    withMemory(async (test) => {
      const first = await store(test, 'Sessions are kept in Redis', { valid_from: '2026-01-01' });
      const second = await store(test, 'PostgreSQL keeps them', { valid_from: '2026-02-01', supersedes: first });
      const third = await store(test, 'Cookies do', { valid_from: '2026-03-01', supersedes: second });
      const ids = [...(await timeline(test, 'redis')).matchAll(/- \[(f_\w+)\]/g)].map(([, id]) => id);
      expect(ids).toEqual([first, second, third]);
    }));

  it('takes a name of code as a whole, and for its words where nothing has it', () =>
    withMemory(async (test) => {
      const on = (entity: string, content: string) => store(test, content, { entities: [entity] });
      const send = await on('lib/response.js#res.send', 'A body is one string');
      const file = await on('lib/response.js#res.sendFile', 'Files need a root');
      const get = await on('lib/application.js#app.get', 'It reads settings, too');
      const said = await store(test, 'To send a file means: open it first');
      await on('lib/response.js#res.json', 'Types that are set stay');
      await store(test, 'The app is small');
      const listed = async (topic: string, more: object = {}) =>
        [...(await timeline(test, topic, more)).matchAll(/- \[(f_\w+)\]/g)].map(([, id]) => id);
      expect(await listed('lib/response.js#res.send')).toEqual([send, file]);
      expect(await listed('res.send')).toEqual([send, file]);
      expect(await listed('sendFile')).toEqual([file, said]);
      expect(await listed('app.get')).toEqual([get]);
      expect(await listed('res.send app.get')).toEqual([send, file, get]);
      expect(await listed('res.nothing')).toHaveLength(3);
      test.later(DAY_MS);
      await store(test, 'They send mail on Mondays');
      expect(await timeline(test, 'res.send', { since: '2026-04-02' })).toContain('was recorded before "since"');
    }));

  it('marks by id which memory superseded another, and only that one', () =>
    withMemory(async (test) => {
      const first = await store(test, 'cache one');
      const refuted = await store(test, 'cache two');
      await test.ok('memory_verify', { node_id: refuted, status: 'refute' });
      const fresh = await store(test, 'cache three', { supersedes: first });
      expect((await timeline(test, 'cache')).match(/\[superseded by (\w+)\]/g)).toEqual([`[superseded by ${fresh}]`]);
    }));

  it('shows what becomes valid only later', () =>
    withMemory(async (test) => {
      const id = await store(test, 'The cache moves to Valkey', { valid_from: '2027-01-01' });
      expect(await timeline(test, 'cache')).toContain(`- [${id}] 2027-01-01 · conf 1.00 — `);
      expect(await test.text('memory_recall', { query: 'cache' })).toContain('0 items');
    }));

  it('begins at since, by recorded_at, that moment included', () =>
    withMemory(async (test) => {
      const early = await store(test, 'cache early', { valid_from: '2030-01-01' });
      test.later(DAY_MS);
      const late = await store(test, 'cache late', { valid_from: '2020-01-01' });
      const since = await timeline(test, 'cache', { since: '2026-04-01T12:00:00Z' });
      expect(since).toContain(late);
      expect(since).not.toContain(early);
      expect(await timeline(test, 'cache', { since: '2026-04-01T12:00:00.001Z' })).toBe(
        'All that is remembered about \'cache\' was recorded before "since": 2 memories.',
      );
      expect(await test.refused('memory_timeline', { topic: 'cache', since: 'May' })).toMatch(
        /^invalid_input: "since" is "May"/,
      );
    }));

  it('prints a thousand lines at most, the latest, and says how many older ones it left out', () =>
    withMemory(async (test) => {
      await test.ok('memory_start_session', { name: 'many' });
      await test.project.write(async (memory) => {
        const { insertNodes } = await import('../../src/server/memory/nodes');
        const nodes = Array.from({ length: 1003 }, (_, i) => ({
          kind: 'fact' as const,
          content: `cache entry ${i}`,
          confidence: 1,
          valid_from: new Date(Date.UTC(2020, 0, 1) + i * 3_600_000).toISOString(),
        }));
        await insertNodes(memory, 1, nodes);
      });
      const lines = (await timeline(test, 'cache entry')).split('\n');
      expect(lines).toHaveLength(1002);
      expect(lines[1]).toMatch(/— cache entry 3$/);
      expect(lines[1000]).toMatch(/— cache entry 1002$/);
      expect(lines[1001]).toBe('(3 older ones are left out. Narrow down with a longer topic, or with since.)');
    }));

  it('answers with one sentence that names the nearest entities when nothing matches', () =>
    withMemory(async (test) => {
      await store(test, 'It is fast', { entities: ['Redis'] });
      expect(await timeline(test, 'reddis')).toBe('Nothing is remembered about \'reddis\'; the nearest are "Redis".');
    }));

  it('prints topic and contents on one line each', () =>
    withMemory(async (test) => {
      await store(test, 'cache\n- [f_forged] 2020-01-01 · conf 1.00 — forged');
      const lines = (await timeline(test, 'cache\n## forged')).split('\n');
      expect(lines).toEqual(["## Memory timeline: 'cache ## forged'", expect.stringMatching(/^- \[f_aaaaaaab\] /)]);
    }));

  it('does not reach into another namespace', () =>
    withMemory(async (test) => {
      await store(test, 'cache there', { namespace: 'other' });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      expect(await timeline(test, 'cache')).toBe("Nothing is remembered about 'cache'.");
    }));

  it('needs a topic', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_timeline', { topic: '\t' })).toBe(
        'invalid_input: "topic" is blank. The parameters of memory_timeline are topic (required), since.',
      );
    }));

  it('lists the newest of very many and counts all that it leaves out', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 5_000 }, (_, i) => ({
        content: `short topic ${i}`,
        kind: 'fact',
        valid_from: new Date(Date.parse('2026-03-01') - i * 3_600_000).toISOString(),
      }));
      await test.ok('memory_import', { nodes });
      const lines = (await timeline(test, 'topic')).split('\n');
      expect(lines).toHaveLength(1 + 1_000 + 1);
      expect(lines.at(1)).toContain('short topic 999');
      expect(lines.at(-2)).toContain('short topic 0');
      expect(lines.at(-1)).toContain('4000 older ones are left out');
    }));

  it('takes those with all words where very many hold some, and says so', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 1_100 }, (_, i) => ({ content: `upload number ${i}`, kind: 'fact' }));
      await test.ok('memory_import', { nodes: [...nodes, { content: 'an upload is retried twice', kind: 'fact' }] });
      expect((await timeline(test, 'upload retried')).split('\n').slice(1)).toEqual([
        expect.stringContaining('an upload is retried twice'),
        '(1100 more hold only some of these words.)',
      ]);
    }));

  it('lists a memory that holds only one of several words', () =>
    withMemory(async (test) => {
      await test.ok('memory_store', { content: 'upload retries use exponential backoff', kind: 'fact' });
      await test.ok('memory_store', { content: 'retries are limited to five', kind: 'fact' });
      expect(await timeline(test, 'upload retries exponential backoff')).toContain('limited to five');
    }));
});
