import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Connection } from '../../src/server/db/driver';
import { codeDoubts } from '../../src/server/memory/code/doubts';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import { withMemory } from '../support/memory';
import { LATER, twoFunctions } from '../support/review';
import { accept, FOLDER, filesOf, note, remove, type Shared, type Stored, withShared, write } from '../support/shared';

const ADR = `# Keep sessions in SQLite

## Status

Accepted

## Context

Redis was one more server to run.

## Decision

Sessions are rows of \`src/session.ts#open\`.
`;
describe('shared memories', () => {
  it('are listed among the others by when they were recorded', () =>
    withMemory(async (test) => {
      write(test, '0001-sessions.md', `---\ndate: 2025-06-01\n---\n\n${ADR}`);
      accept(test);
      const there = await test.another();
      const { node_id } = await there.ok<Stored>('memory_store', { content: 'Sessions end after a day', kind: 'fact' });
      const listed = async (asked: object): Promise<string[]> => {
        const nodes = await there.ok<{ id: string; content: string }[]>('nodes', {
          kinds: ['fact', 'decision'],
          ...asked,
        });
        return nodes.map(({ id, content }) => (id === node_id ? 'own' : content.slice(0, 23)));
      };
      expect(await listed({})).toEqual(['own', 'Keep sessions in SQLite']);
      expect(await listed({ limit: 1 })).toEqual(['own']);
      expect(await listed({ before: node_id })).toEqual(['Keep sessions in SQLite']);
    }));

  it('are found in a record that people wrote, and are a stranger’s until the folder is accepted', () =>
    withMemory(async (test) => {
      write(test, '0001-sessions.md', ADR);
      write(test, 'README.md', 'Not a memory.');
      const asked = { query: 'where are sessions kept' };
      expect(await test.text('memory_recall', asked)).toContain(
        '2026-03-31 · conf 1.00 · foreign · shared — Keep sessions in SQLite: Sessions are rows of `src/session.ts#open`.',
      );
      expect(await test.text('nodes', {})).not.toContain('proposed');
      expect(await test.text('memory_recall', { query: 'project context' })).toContain('svc-memory trust');
      expect(await test.ok('review', {})).toMatchObject({ proposals: [] });
      accept(test);
      const trusted = await test.another();
      expect(await trusted.text('memory_recall', { query: 'project context' })).toContain(
        'conf 1.00 · shared — Keep sessions in SQLite',
      );
    }));

  it('are written as a record that everybody can read, leave the store, and come back by undoing', () =>
    withShared(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', {
        content: 'The store is one SQLite file',
        kind: 'decision',
        rationale: 'no server to run',
        alternatives_rejected: ['Postgres'],
        entities: ['Store', 'src/store.ts'],
      });
      const fact = await test.ok<Stored>('memory_store', { content: 'CI runs on Node 24', kind: 'fact' });
      const { shared, operation } = await test.ok<Shared>('share', { node_ids: [node_id, fact.node_id] });
      expect(shared.map(({ path }) => readFileSync(join(test.folder, path), 'utf8'))).toEqual([
        [
          '---\nstatus: accepted\ndate: 2026-03-31\nid: d_aaaaaaad\nvalid-from: "2026-03-31T12:00:00.000Z"',
          'origin: "agent test"\nabout:\n  - Store\n  - src/store.ts\n---\n\n# The store is one SQLite file\n',
          '## Considered Options\n\n* The store is one SQLite file\n* Postgres\n',
          '## Decision Outcome\n\nChosen option: "The store is one SQLite file", because no server to run\n',
        ].join('\n'),
        '---\nkind: fact\ndate: 2026-03-31\nid: f_aaaaaaae\nvalid-from: "2026-03-31T12:00:00.000Z"\norigin: "agent test"\n---\n\nCI runs on Node 24\n',
      ]);
      expect(await test.project.store.all('SELECT id FROM main.mem_nodes WHERE tombstoned = 1 ORDER BY id')).toEqual([
        { id: node_id },
        { id: fact.node_id },
      ]);
      expect(await test.text('memory_recall', { query: 'SQLite store' })).toContain(
        'conf 1.00 · shared — The store is',
      );
      expect(await test.text('memory_about', { entity: 'store' })).toContain('· shared — The store is');
      expect(await test.text('memory_why', { decision_ref: 'one SQLite file' })).toContain('no server to run');
      expect((await test.text('memory_timeline', { topic: 'SQLite' })).match(/The store is/g)).toHaveLength(1);
      expect(await test.ok('node', { id: node_id })).toMatchObject({ marks: ['shared'], tombstoned: 0 });
      const counts = { decision: 1, fact: 1, entity: 2 };
      expect(await test.ok('memory_stats')).toMatchObject({ kind_counts: counts, top_entities: [{ degree: 1 }, {}] });

      const undone = await test.ok<{ operation: number }>('undo', { operation });
      expect(filesOf(test)).toEqual([]);
      expect(await test.text('memory_recall', { query: 'SQLite store' })).toContain('conf 1.00 — The store is');
      await test.ok('undo', { operation: undone.operation });
      expect(filesOf(test)).toHaveLength(2);
      expect(await test.text('memory_recall', { query: 'SQLite store' })).toContain(
        'conf 1.00 · shared — The store is',
      );
    }));

  it('follow the status of records that people wrote', () =>
    withShared(async (test) => {
      write(
        test,
        '0001-redis.md',
        ADR.replace('Accepted', 'Superseded by [2](0002-sqlite.md)').replace('SQLite', 'Redis'),
      );
      write(test, '0002-sqlite.md', ADR);
      write(test, '0003-open.md', ADR.replace('Accepted', 'Proposed'));
      // Without a successor, and with one that is not here.
      for (const [i, status] of ['Superseded', 'Superseded by d_7other'].entries()) {
        write(test, `000${4 + i}-lmdb.md`, ADR.replace('Accepted', status).replace('SQLite', 'LMDB'));
      }
      const recalled = await test.text('memory_recall', { query: 'sessions' });
      expect(recalled).toContain('Keep sessions in SQLite');
      expect(recalled).not.toMatch(/Keep sessions in (?:Redis|LMDB)/);
      expect(test.project.shared.unread).toEqual([
        { path: `${FOLDER}/0003-open.md`, line: 1, reason: 'the decision is not made yet' },
      ]);
    }));

  it('are lost with their own file alone when it is broken, and that is told with its line', () =>
    withShared(async (test) => {
      write(test, 'a.md', note('f_good', 'fact', 'The good one'));
      write(test, 'b.md', note('f_date', 'fact', 'x').replace('2026-03-01', 'soon'));
      write(test, 'c.md', note('f_kind', 'thought', 'x'));
      write(test, 'd.md', note('f_good', 'fact', 'The same id'));
      write(test, 'e.md', '---\nkind: fact\n- : x: [\n---\nx\n');
      write(test, 'f.md', '---\nkind: fact\nNothing ends this\n');
      write(test, 'g.md', note('f_empty', 'fact', ''));
      write(test, 'h.md', 'Just a text.\n');
      write(test, 'j.md', '## Storage\n\n## Decision\n\nWe use SQLite.\n');
      write(test, 'i.md', note('f_out', 'fact', 'x', 'links:\n  - { path: ../x, type: file, name: x, hash: y }\n'));
      expect(await test.text('memory_recall', { query: 'good' })).toContain('The good one');
      expect(test.project.shared.unread.map(({ path, line, reason }) => `${path.slice(-4)}:${line} ${reason}`)).toEqual(
        [
          'b.md:3 "date" is not a date',
          'c.md:2 the kind is none of fact, decision, action, outcome, procedure, preference',
          'd.md:1 its id f_good is that of a.md',
          'e.md:3 the fields are not valid YAML',
          'f.md:1 nothing ends the fields that begin with "---"',
          'g.md:1 it says nothing below its fields',
          'h.md:1 it has neither a "kind" at its top nor a section "Decision", so it is no memory',
          'i.md:5 a link leads out of the project',
          'j.md:1 its decision has no title: a line that begins with "# "',
        ],
      );
      // What was the second file with its id is the only one now.
      remove(test, 'a.md');
      expect(await test.text('memory_recall', { query: 'same' })).toContain('The same id');
      expect(test.project.shared.unread.map(({ path }) => path)).not.toContain(`${FOLDER}/d.md`);
    }));

  it('are about the same entities as memories of the store, whichever came first', () =>
    withShared(async (test) => {
      await test.ok('memory_store', { content: 'The cache is a map', kind: 'fact', entities: ['Cache'] });
      write(test, 'cache.md', note('f_cache', 'fact', 'It is cold', 'about: [cache, Queue]\n'));
      const about = async (entity: string) => {
        const { items } = await test.ok<{ items: { content: string }[] }>('memory_about', { entity });
        return items.map(({ content }) => content).sort();
      };
      expect(await about('Cache')).toEqual(['It is cold', 'The cache is a map']);
      expect(await about('queue')).toEqual(['It is cold']);
      await test.ok('memory_store', { content: 'The queue is a list', kind: 'fact', entities: ['Queue'] });
      expect(await about('queue')).toEqual(['It is cold', 'The queue is a list']);
      expect(await test.ok<unknown[]>('entities', {})).toHaveLength(2);
      await test.ok('memory_forget', { before: '2027-01-01', purge: true });
      expect(await about('queue')).toEqual(['It is cold']);
    }));

  it('are not shared when they hold a secret, are closed, wait or lie elsewhere', () =>
    withShared(async (test) => {
      const store = async (content: string, more = {}) =>
        (await test.ok<Stored>('memory_store', { content, kind: 'fact', ...more }, { allowSecret: true })).node_id;
      const secret = await store('Token ghp_16C7e42F292c6912E7710c838347Ae178B4a');
      expect(await test.refused('share', { node_ids: [secret] })).toMatch(/^invalid_input: .*looks like/);
      const old = await store('Old');
      const newer = await store('New', { supersedes: old });
      expect(await test.refused('share', { node_ids: [old] })).toMatch(/^conflict: .*was closed/);
      const [entity] = await test.project.store.all<{ id: string }>(`SELECT id FROM mem_nodes WHERE kind = 'session'`);
      expect(await test.refused('share', { node_ids: [entity?.id] })).toMatch(/^invalid_input: /);
      expect(await test.refused('share', { node_ids: ['f_none'] })).toMatch(/^not_found: /);
      const waits = await test.another({ keeping: () => ({ proposed: true, marked: false }) });
      const proposed = await waits.ok<Stored>('memory_store', { content: 'Waits', kind: 'fact' });
      expect(await test.refused('share', { node_ids: [proposed.node_id] })).toMatch(/^conflict: .*waits/);
      const elsewhere = await test.another({ namespace: 'other' });
      const other = await elsewhere.ok<Stored>('memory_store', { content: 'There', kind: 'fact' });
      expect(await elsewhere.refused('share', { node_ids: [other.node_id] })).toMatch(/^conflict: Only memories/);
      expect(filesOf(test)).toEqual([]);
      const id = await store('Good');
      expect(await test.ok('share', { node_ids: [id] })).not.toHaveProperty('stays_closed');
      // What it took the place of comes back on no branch where its file is not.
      expect(await test.ok('share', { node_ids: [newer] })).toMatchObject({ stays_closed: [old] });
      expect(await test.refused('share', { node_ids: [id] })).toMatch(/^conflict: .*shared already/);
    }));

  it('are confirmed, refuted, forgotten and superseded in their files, of which the rest stays as it was', () =>
    withShared(async (test) => {
      const path = `${FOLDER}/cache.md`;
      const read = () => readFileSync(join(test.folder, path), 'utf8');
      const more = 'confidence: 0.5\nmine: [1,\n  2]\nabout: Cache\n';
      write(test, 'cache.md', note('f_cache', 'fact', 'The cache is cold', more));
      const verified = await test.ok('memory_verify', { node_id: 'f_cache', status: 'confirm' });
      expect(verified).toEqual({ node_id: 'f_cache', confidence: 0.6, status: 'confirmed', path });
      expect(read()).toBe(note('f_cache', 'fact', 'The cache is cold', more.replace('0.5', '0.6')));
      await test.ok('memory_verify', { node_id: 'f_cache', status: 'refute' });
      const refuted = `${more.replace('0.5', '0.3')}valid-until: "2026-03-31T12:00:00.000Z"\n`;
      expect(read()).toBe(note('f_cache', 'fact', 'The cache is cold', refuted));
      expect(await test.text('memory_recall', { query: 'cache' })).not.toContain('cold');
      expect(await test.refused('memory_verify', { node_id: 'f_cache', status: 'confirm' })).toMatch(
        /^conflict: .*closed/,
      );

      write(test, 'hot.md', note('f_hot', 'fact', 'The cache is hot'));
      const asked = { content: 'The cache is lukewarm', kind: 'fact', supersedes: 'f_hot' };
      const stored = await test.ok<Stored & { path: string }>('memory_store', asked);
      expect(readFileSync(join(test.folder, stored.path), 'utf8')).toContain('supersedes:\n  - f_hot\n');
      expect(await test.text('memory_recall', { query: 'cache' })).toContain('· shared — The cache is lukewarm');
      expect(await test.text('memory_recall', { query: 'cache' })).not.toContain('hot');
      await test.ok('undo', {});
      expect(await test.text('memory_recall', { query: 'cache' })).toContain('The cache is hot');

      expect(await test.refused('memory_forget', { node_id: 'f_hot', purge: true })).toMatch(/^conflict: .*Git keeps/);
      const forgotten = await test.ok('memory_forget', { node_id: 'f_hot' });
      expect(forgotten).toEqual({ count: 1, mode: 'tombstone', ids: ['f_hot'], path: `${FOLDER}/hot.md` });
      expect(filesOf(test)).toEqual(['cache.md']);
      const other = await test.another({ keeping: () => ({ proposed: true, marked: true }) });
      write(test, 'hot.md', note('f_hot', 'fact', 'The cache is hot'));
      expect(await other.refused('memory_store', asked)).toMatch(/^conflict: .*would wait/);
      expect(await other.refused('memory_forget', { node_id: 'f_hot' })).toMatch(/^unavailable: Foreign text/);
      for (const [tool, input] of [
        ['memory_verify', { node_id: 'f_hot', status: 'confirm' }],
        ['settle', { node_id: 'f_hot', action: 'dismiss' }],
      ] as const) {
        expect(await other.refused(tool, input)).toMatch(/^unavailable: Foreign text/);
      }
      expect(await test.refused('restore', { node_id: 'f_hot' })).toMatch(
        /^conflict: .*Edit or remove .svc\/memories/s,
      );
    }));

  it('of a folder that nobody accepted are no proposals: they are in doubt when their code changes', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        write(test, 'alpha.md', note('f_alpha', 'fact', 'Alpha is slow', 'about: alpha()\n'));
        expect(await test.text('memory_for_code', { file_path: 'a.ts' })).toContain('Alpha is slow');
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 1, to: 9 }]);
        const { stale_nodes } = await test.ok<{ stale_nodes: readonly object[] }>('memory_verify_staleness');
        expect(stale_nodes).toEqual([expect.objectContaining({ node_id: 'f_alpha', verdict: 'changed' })]);
        expect(stale_nodes).toEqual([expect.not.objectContaining({ proposed: true })]);
        expect(await lensesForFile(test.memory, 'a.ts')).toMatchObject([
          { doubtful_ids: ['f_alpha'], proposed_ids: [] },
        ]);
        expect(await codeDoubts(test.memory)).toMatchObject([{ node_ids: ['f_alpha'] }]);
        expect(await test.text('memory_about', { entity: 'alpha()' })).not.toContain('proposals');
      },
      { code },
    );
  });

  it('of a folder that nobody accepted stay as they are: nothing is shared beside them', () =>
    withMemory(async (test) => {
      write(test, 'cache.md', note('f_cache', 'fact', 'The cache is cold'));
      const { node_id } = await test.ok<Stored>('memory_store', { content: 'x', kind: 'fact' });
      expect(await test.refused('share', { node_ids: [node_id] })).toMatch(/^unavailable: .*svc-memory trust/s);
      for (const [name, input] of [
        ['memory_forget', { node_id: 'f_cache' }],
        ['memory_verify', { node_id: 'f_cache', status: 'confirm' }],
      ] as const) {
        expect(await test.refused(name, input)).toMatch(/^unavailable: .*svc-memory trust/s);
      }
      expect(filesOf(test)).toEqual(['cache.md']);
    }));

  it('are found through the indexes: no tool for agents walks all of them', () =>
    withShared(async (test) => {
      for (let i = 0; i < 4; i++) {
        const more = `about: [Cache, src/cache.ts]\n${i === 0 ? '' : `supersedes: d_cache${i - 1}\n`}`;
        write(test, `${i}.md`, note(`d_cache${i}`, 'decision', `# The cache is ${i}\n\n## Decision\n\nCold`, more));
      }
      const map = { content: 'The cache is a map', kind: 'decision', entities: ['Cache'] };
      const { node_id } = await test.ok<Stored>('memory_store', map);
      await test.ok('memory_store', { ...map, content: 'The cache is a list' });
      await test.ok('share', { node_ids: [node_id] });
      const [session] = await test.ok<{ id: string }[]>('sessions', {});
      await test.ok('memory_store', { content: 'The cache holds 100 entries', kind: 'fact' });
      const near = await test.ok<Stored>('memory_store', { content: 'The cache holds 500 entries', kind: 'fact' });
      await test.ok('memory_recall', { query: 'cache' });
      const asked = new Map<string, unknown>();
      const all = vi.spyOn(Connection.prototype, 'all');
      for (const [name, input] of [
        ['memory_recall', { query: 'cold cache in march 2026 and when', hops: 2 }],
        ['memory_recall', { query: 'project context' }],
        ['memory_about', { entity: 'cache' }],
        ['memory_why', { decision_ref: 'cache' }],
        ['memory_why', { decision_ref: 'nothing like it' }],
        ['memory_timeline', { topic: 'cache' }],
        ['node', { id: 'd_cache3' }],
        ['node', { id: session?.id }],
        ['nodes', { session_id: session?.id }],
        ['sessions', {}],
        ['sessions', { letters: 'cache' }],
        ['memory_list_sessions', {}],
        ['history', { id: node_id }],
        ['node', { id: near.node_id }],
      ] as const) {
        await test.ok(name, input);
        for (const [sql, parameters] of all.mock.calls) asked.set(sql, parameters);
        all.mockClear();
      }
      vi.restoreAllMocks();
      const walks: string[] = [];
      for (const [sql, parameters] of asked) {
        if (/^\s*(?:PRAGMA|INSERT|UPDATE|DELETE|BEGIN|COMMIT)/.test(sql) || !/mem_/.test(sql)) continue;
        const plan = await test.project.store
          .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters as Record<string, string>)
          .catch(() => []);
        for (const { detail } of plan) {
          if (/SCAN (?:main|shared)\.mem_(?:nodes|edges|links)\b/.test(detail)) walks.push(`${detail}: ${sql}`);
        }
      }
      expect(walks).toEqual([]);
    }));
});
