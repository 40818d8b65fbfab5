import { copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { startEditor } from '../support/editor-client';
import { openSqlite } from '../support/sqlite';
import { connectServer } from '../support/stdio-client';

const STORED = 20;
const LOOK_EVERY_MS = 100;
const REFUSED =
  /The store \S+memory\.db is not there, but its log is: \S+memory\.db-wal holds what was stored last\. Nothing was made or deleted\. Put the file back/;

/** A server was killed right after its file had been moved away: what it stored stands in the log alone. */
async function withLogAlone(work: (line: CommandLine, moved: string, older: string) => Promise<void>): Promise<void> {
  await withCommandLine(async (line) => {
    await line.ok('init');
    await line.ok('store', 'long before', '--kind', 'fact', '--entities', 'age');
    const file = line.path('.svc', 'memory.db');
    const moved = join(line.folder, '..', 'moved.db');
    const older = join(line.folder, '..', 'older.db');
    await copyFile(file, older);
    const server = await connectServer(line);
    const nodes = Array.from({ length: STORED }, (_, i) => ({
      content: `before ${i}`,
      kind: 'fact',
      entities: [`e${i}`],
    }));
    await server.value('memory_import', { nodes });
    // What was stored before is in the file alone, …
    while ((await stat(`${file}-wal`)).size > 0) await delay(LOOK_EVERY_MS);
    // … and nothing gets out of the log from now on.
    const reader = await openSqlite(file);
    await reader.all('BEGIN');
    await reader.all('SELECT count(*) FROM mem_nodes');
    for (let i = 0; i < STORED; i++) await server.value('memory_store', { content: `number ${i}`, kind: 'fact' });
    await rename(file, moved);
    process.kill(server.pid, 'SIGKILL');
    await server.close();
    await reader.close();
    await work(line, moved, older);
  });
}

test('a log without its file is deleted by nobody, and no store is made in its place, at any door', () =>
  withLogAlone(async (line, moved) => {
    const file = line.path('.svc', 'memory.db');
    const log = await readFile(`${file}-wal`);
    for (const args of [
      ['init'],
      ['store', 'mine', '--kind', 'fact'],
      ['recall', 'number'],
      ['stats'],
      ['export'],
      ['trust'],
    ]) {
      const { status, err } = await line.run(args);
      expect({ status, err }, args.join(' ')).toEqual({ status: 1, err: expect.stringMatching(/^unavailable/) });
      expect(err).toMatch(REFUSED);
    }
    const named = { SVC_MEMORY_DB: file, SVC_PROJECT_ROOT: line.folder };
    expect((await line.run(['recall', 'number'], { env: named })).err).toMatch(REFUSED);
    expect((await line.run(['build'], { program: SVC_FILE })).status).toBe(0);
    const doctor = await line.run(['doctor', '--json']);
    expect(doctor.status).toBe(1);
    expect(JSON.parse(doctor.out)).toMatchObject({ problems: [expect.stringContaining('Put the file back')] });
    const hook = await line.run(['hook', 'session-start'], { input: '{}' });
    expect(hook).toMatchObject({ status: 0, err: expect.stringContaining('Put the file back') });

    for (const env of [{}, { ...named, SVC_CREATE_STORE: 'on-write' }]) {
      const server = await connectServer(line, { env });
      expect(await server.refusal('memory_store', { content: 'mine', kind: 'fact' })).toMatch(REFUSED);
      expect(await server.refusal('memory_recall', { query: 'number' })).toMatch(REFUSED);
      await server.close();
    }

    const editor = await startEditor(line);
    const { store, problem } = await editor.request('svc/folderState', { folder: editor.uri('.') });
    expect(store.exists).toBe(true);
    expect(problem).toMatch(REFUSED);
    for (const tool of ['memory_store', 'memory_stats']) {
      const answer = await editor.callTool(tool, tool === 'memory_store' ? { content: 'mine', kind: 'fact' } : {});
      expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(REFUSED) } });
    }
    await editor.end();

    // An empty file is none.
    await writeFile(file, '');
    expect((await line.run(['recall', 'number'])).err).toMatch(REFUSED);
    await rm(file);

    expect(await readFile(`${file}-wal`)).toEqual(log);
    await rename(moved, file);
    expect(await line.json('stats')).toMatchObject({ kind_counts: { fact: 2 * STORED + 1 } });
  }));

test('a log without its file that is moved away leaves room for a new store', () =>
  withLogAlone(async (line) => {
    await rename(line.path('.svc', 'memory.db-wal'), line.path('kept-wal'));
    expect(await line.ok('init')).toContain('Created the store');
    await line.ok('store', 'mine', '--kind', 'fact');
    expect(await line.json('stats')).toMatchObject({ kind_counts: { fact: 1 } });
  }));

test('a log beside another file than its own is not applied to that: the file to put back is named', () =>
  withLogAlone(async (line, moved, older) => {
    const file = line.path('.svc', 'memory.db');
    await rename(older, file);
    const before = await readFile(file);
    for (const args of [['recall', 'number'], ['store', 'mine', '--kind', 'fact'], ['init']]) {
      const { status, err } = await line.run(args);
      expect({ status, err }, args.join(' ')).toEqual({
        status: 1,
        err: expect.stringMatching(
          /memory\.db was replaced .* \S+memory\.db-wal belongs to the file that was there before/,
        ),
      });
    }
    expect(await readFile(file)).toEqual(before);
    await rename(file, older);
    await rename(moved, file);
    expect(await line.json('stats')).toMatchObject({ kind_counts: { fact: 2 * STORED + 1 } });
  }));

test('a log beside another file that is moved away leaves that one as it is', () =>
  withLogAlone(async (line, _, older) => {
    await rename(older, line.path('.svc', 'memory.db'));
    await rename(line.path('.svc', 'memory.db-wal'), line.path('kept-wal'));
    expect(await line.json('stats')).toMatchObject({ kind_counts: { fact: 1 } });
  }));

test('a file and its log that were copied into their place together are read together', () =>
  withLogAlone(async (line, moved) => {
    const file = line.path('.svc', 'memory.db');
    await copyFile(moved, file);
    await copyFile(`${file}-wal`, line.path('copied-wal'));
    await rename(line.path('copied-wal'), `${file}-wal`);
    expect(await line.json('stats')).toMatchObject({ kind_counts: { fact: 2 * STORED + 1 } });
  }));
