import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SVC_FILE } from '../support/code-project';
import { PROGRAM_FILE, withCommandLine } from '../support/command-line';
import { copyFolder, withForeignStore } from '../support/foreign-store';
import { openSqlite } from '../support/sqlite';
import { connectServer } from '../support/stdio-client';
import { CONTROL_D, runOnTerminal } from '../support/terminal';

describe('a store that came with a repository', () => {
  test('is read and marked, and nothing appears beside it', () =>
    withForeignStore(async (clone) => {
      const before = await readFile(clone.store);
      const recall = await clone.run(['recall', 'why sqlite']);
      expect(recall.out).toMatch(/- \[d_\w+\] \d{4}-\d\d-\d\d · conf 1\.00 · foreign — we chose sqlite/);
      expect(recall.err).toContain('"svc-memory trust" accepts it');
      for (const args of [
        ['about', 'db'],
        ['timeline', 'sqlite'],
        ['why', 'sqlite'],
        ['nodes'],
        ['stats'],
        ['export'],
      ]) {
        expect((await clone.run(args)).status).toBe(0);
      }
      expect(await clone.ok('about', 'db')).toContain('· foreign — we chose');
      expect(await clone.ok('timeline', 'sqlite')).toContain('· foreign — we chose');
      expect(await clone.ok('why', 'sqlite')).toMatch(/conf 1\.00 · foreign$/m);
      expect(await readdir(clone.path('.svc'))).toEqual(['memory.db']);
      expect(await readFile(clone.store)).toEqual(before);
    }));

  test('tells an agent so in the first line of the briefing, within its budget', () =>
    withForeignStore(async (clone) => {
      const server = await connectServer(clone);
      const briefing = await server.text('memory_recall', { query: 'project context' });
      const [heading = '', notice = ''] = briefing.split('\n');
      expect(notice).toMatch(/^This store came with the folder: .*"svc-memory trust"/);
      expect(Number(/ (\d+)\/500 tokens/.exec(heading)?.[1])).toBeLessThan(200);
      expect(await server.refusal('memory_store', { content: 'mine', kind: 'fact' })).toMatch(
        /^unavailable: The store .* came with this folder\. .* nothing was written to it\. .*"svc-memory trust"/,
      );
      await server.close();
      expect(await readdir(clone.path('.svc'))).toEqual(['memory.db']);
    }));

  test('takes no write at any command, and says how to accept it', () =>
    withForeignStore(async (clone) => {
      for (const args of [
        ['store', 'mine', '--kind', 'fact'],
        ['init'],
        ['end-session', 'done'],
        ['forget', '--before', '2999-01-01', '--purge'],
        ['undo'],
        ['start-session', 'work'],
      ]) {
        const { status, err } = await clone.run(args);
        expect(status, args.join(' ')).toBe(1);
        expect(err).toContain('svc-memory trust');
      }
      expect(await readdir(clone.path('.svc'))).toEqual(['memory.db']);
    }));

  test('is used like any other once a person has accepted it, by servers that run already, too', () =>
    withForeignStore(async (clone) => {
      const server = await connectServer(clone);
      expect(await server.text('memory_recall', { query: 'why sqlite' })).toContain('· foreign — we chose');
      const { status, screen } = await runOnTerminal(clone, PROGRAM_FILE, ['trust'], [['Accept it?', 'y\r']]);
      expect(status).toBe(0);
      expect(screen).toMatch(/memory\.db\n {2}2 memories, .*\n {2}written by /);
      expect(screen).toContain('Accepted: ');
      expect(await server.text('memory_recall', { query: 'why sqlite' })).toContain('conf 1.00 — we chose');
      await server.value('memory_store', { content: 'mine now', kind: 'fact' });
      await server.close();
      expect(await clone.ok('recall', 'mine')).toContain('conf 1.00 — mine now');
      expect(await clone.ok('trust', '--list')).toMatch(/^\d{4}-\d\d-\d\d {2}accepted +\S+clone\/\.svc\/memory\.db$/m);
    }));

  test('is foreign again once the acceptance is taken back', () =>
    withForeignStore(async (clone) => {
      expect(await clone.ok('trust', '--yes')).toContain('Accepted: ');
      expect(await clone.ok('trust')).toContain('This store is yours already');
      expect(await clone.ok('trust', '--revoke')).toContain('No longer known');
      expect((await clone.run(['store', 'mine', '--kind', 'fact'])).status).toBe(1);
      expect((await clone.run(['trust', '--revoke'])).status).toBe(1);
    }));

  test('is accepted by a person alone: not by an agent, and not where nobody sits at a terminal', () =>
    withForeignStore(async (clone) => {
      const nobody = await clone.run(['trust']);
      expect(nobody).toMatchObject({ status: 1, err: expect.stringContaining('Only a person can accept a store') });
      for (const env of [{ CLAUDECODE: '1' }, { CODEX_SANDBOX: 'seatbelt' }, { AI_AGENT: 'any' }]) {
        const { status, err } = await clone.run(['trust', '--yes'], { env });
        expect(status).toBe(1);
        expect(err).toContain('an agent runs this command');
      }
      const no = await runOnTerminal(clone, PROGRAM_FILE, ['trust'], [['Accept it?', '\r']]);
      expect(no.status).toBe(1);
      const closed = await runOnTerminal(clone, PROGRAM_FILE, ['trust'], [['Accept it?', CONTROL_D]]);
      expect(closed).toMatchObject({ status: 1, screen: expect.stringContaining('Nothing was accepted') });
      expect(await clone.ok('trust', '--list')).toBe('No store is known yet.\n');
    }));

  test('named by SVC_MEMORY_DB is a choice of the person who set it', () =>
    withForeignStore(async (clone) => {
      const { status, err } = await clone.run(['store', 'mine', '--kind', 'fact'], {
        env: { SVC_MEMORY_DB: clone.store },
      });
      expect({ status, err }).toEqual({ status: 0, err: '' });
    }));

  test('is not accepted by one that was accepted elsewhere: the place counts as well as the id', () =>
    withForeignStore(async (clone) => {
      await clone.ok('trust', '--yes');
      await copyFolder(clone.folder, join(clone.folder, '..', 'other'));
      const other = await clone.run(['store', 'mine', '--kind', 'fact'], { cwd: '../other' });
      expect(other.err).toContain('svc-memory trust');
    }));

  test('keeps its answers while its log came along', () =>
    withForeignStore(async (clone) => {
      // A log that holds a memory of its own, as it lies there while a server of the stranger runs.
      const stranger = await openSqlite(clone.store);
      await stranger.all('PRAGMA journal_mode = WAL');
      await stranger.all(`UPDATE mem_nodes SET content = 'from the log' WHERE content LIKE 'tests run%'`);
      await copyFolder(clone.path('.svc'), clone.path('kept'));
      await stranger.close();
      await rm(clone.path('.svc'), { recursive: true });
      await rename(clone.path('kept'), clone.path('.svc'));
      const files = (await readdir(clone.path('.svc'))).sort();
      expect(files).toContain('memory.db-wal');
      expect(await clone.ok('nodes')).toContain('foreign — from the log');
      expect((await readdir(clone.path('.svc'))).sort()).toEqual(files);
    }));
});

describe('a store of one’s own', () => {
  test('is known where it was made, and when its folder was moved', () =>
    withCommandLine(async (line) => {
      await line.ok('init');
      await line.ok('store', 'mine', '--kind', 'fact');
      expect(await line.ok('trust', '--list')).toMatch(/made here +\S+project\/\.svc\/memory\.db$/m);
      await mkdir(line.path('moved'));
      await rename(line.path('.svc'), line.path('moved', '.svc'));
      const { status, err } = await line.run(['store', 'still mine', '--kind', 'fact'], { cwd: 'moved' });
      expect({ status, err }).toEqual({ status: 0, err: '' });
    }));

  test('made by 0.1.0, which gave no ids, is adopted once where Git does not track it', () =>
    withCommandLine(async (line) => {
      await line.ok('init');
      await line.ok('store', 'old', '--kind', 'fact');
      await withoutId(line.path('.svc', 'memory.db'));
      await rm(join(line.home, '.svc'), { recursive: true });
      expect((await line.run(['store', 'new', '--kind', 'fact'])).err).toBe('');
      expect(await line.ok('trust', '--list')).toContain('made here');
    }));

  test('that was copied after it was moved is foreign where it was copied to', () =>
    withCommandLine(async (line) => {
      await line.ok('init');
      await line.ok('store', 'mine', '--kind', 'fact');
      await mkdir(line.path('moved'));
      await rename(line.path('.svc'), line.path('moved', '.svc'));
      expect((await line.run(['store', 'still mine', '--kind', 'fact'], { cwd: 'moved' })).err).toBe('');
      await copyFolder(line.path('moved'), line.path('copied'));
      expect((await line.run(['recall', 'mine'], { cwd: 'copied' })).out).toContain('· foreign — ');
    }));

  test('without an id, which an archive or a package brought, is foreign although Git does not know it', () =>
    withCommandLine(async (line) => {
      await line.ok('init');
      await line.ok('store', 'of a stranger', '--kind', 'fact');
      const store = await openSqlite(line.path('.svc', 'memory.db'));
      await store.all(`DELETE FROM mem_flags WHERE name = 'store_id'`);
      await store.all(`UPDATE mem_sessions SET host = 'the-machine-of-a-stranger'`);
      await store.close();
      await rm(join(line.home, '.svc'), { recursive: true });
      expect((await line.run(['recall', 'stranger'])).out).toContain('· foreign — of a stranger');
      expect((await line.run(['store', 'x', '--kind', 'fact'])).status).toBe(1);
    }));

  test('whose acceptance is taken back is only read by a server that runs', () =>
    withCommandLine(async (line) => {
      await line.ok('init');
      const server = await connectServer(line);
      await server.value('memory_store', { content: 'mine', kind: 'fact' });
      await line.ok('trust', '--revoke');
      let refused = '';
      while (refused === '') {
        const { isError, content } = await server.call('memory_store', { content: 'more', kind: 'fact' });
        if (isError) refused = JSON.stringify(content);
      }
      expect(refused).toContain('came with this folder');
      await server.close();
    }));

  test('made by 0.1.0 is foreign where Git tracks it', () =>
    withForeignStore(
      async (clone) => {
        expect((await clone.run(['recall', 'sqlite'])).out).toContain('· foreign — ');
      },
      { tamper: async (store) => void (await store.all(`DELETE FROM mem_flags WHERE name = 'store_id'`)) },
    ));

  test('in a home that cannot be written is used all the same', () =>
    withCommandLine(async (line) => {
      await rm(line.home, { recursive: true });
      await writeFile(line.home, 'no folder');
      await line.ok('init');
      expect((await line.run(['store', 'mine', '--kind', 'fact'])).err).toBe('');
      expect((await line.run(['recall', 'mine'])).out).toContain('conf 1.00 — mine');
    }));
});

test('a file without content that came along is not filled by reading, and takes no write', () =>
  withForeignStore(async (clone) => {
    await writeFile(clone.store, '');
    clone.git('commit', '--quiet', '--all', '-m', 'empty');
    expect((await clone.run(['recall', 'sqlite'])).err).toContain('"svc-memory trust" accepts it');
    expect((await clone.run(['store', 'mine', '--kind', 'fact'])).err).toContain('svc-memory trust');
    expect((await stat(clone.store)).size).toBe(0);
    await clone.ok('trust', '--yes');
    await clone.ok('store', 'mine', '--kind', 'fact');
    expect(await clone.ok('recall', 'mine')).toContain('conf 1.00 — mine');
  }));

test.each(['memory.db', 'graph.db'])(
  'an empty %s is taken for one that another process makes just now, also where Git cannot tell',
  (name) =>
    withCommandLine(async (line) => {
      // No repository, but what looks like one.
      await mkdir(line.path('.git'));
      await writeFile(line.path('.git', 'HEAD'), 'ref: refs/heads/main\n');
      await mkdir(line.path('.svc'));
      await writeFile(line.path('.svc', name), '');
      // Held open, so that no other file gets its number.
      const maker = await open(line.path('.svc', name), 'a');
      const { ino } = await maker.stat();
      const program = name === 'graph.db' ? SVC_FILE : PROGRAM_FILE;
      const { status, err } = await line.run([name === 'graph.db' ? 'build' : 'init'], { program });
      expect(status, err).toBe(0);
      expect(await stat(line.path('.svc', name))).toMatchObject({ ino });
      expect((await maker.stat()).size).toBeGreaterThan(0);
      await maker.close();
    }),
);

describe('what lies beside a store', () => {
  test('is not played back: a journal that came along is refused by its name, with the store and its files as they are', () =>
    withForeignStore(async (clone) => {
      await clone.ok('trust', '--yes');
      const before = await readFile(clone.store);
      await writeFile(`${clone.store}-journal`, 'what a hostile journal says');
      const { status, err } = await clone.run(['recall', 'sqlite']);
      expect(status).toBe(1);
      expect(err).toMatch(/^unavailable: \S+memory\.db-journal lies beside the store/);
      expect(await readFile(clone.store)).toEqual(before);
      expect(await readFile(`${clone.store}-journal`, 'utf8')).toBe('what a hostile journal says');
    }));

  test('is not applied to one’s own: a log that Git tracks is refused, and nothing of one’s own is lost', () =>
    withForeignStore(async (clone) => {
      await clone.ok('trust', '--yes');
      await clone.ok('store', 'mine', '--kind', 'fact');
      await writeFile(`${clone.store}-wal`, 'x'.repeat(5_000));
      clone.git('add', '--force', '.svc/memory.db-wal');
      const { status, err } = await clone.run(['recall', 'mine']);
      expect(status).toBe(1);
      expect(err).toMatch(/^unavailable: \S+memory\.db-wal lies beside the store/);
      clone.git('rm', '--quiet', '--force', '.svc/memory.db-wal');
      expect(await clone.ok('recall', 'mine')).toContain('conf 1.00 — mine');
    }));
});

/** As a version before the ids left it. */
async function withoutId(path: string): Promise<void> {
  const store = await openSqlite(path);
  await store.all(`DELETE FROM mem_flags WHERE name = 'store_id'`);
  await store.close();
}
