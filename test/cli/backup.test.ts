import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { withForeignStore } from '../support/foreign-store';
import { openSqlite } from '../support/sqlite';
import { connectServer } from '../support/stdio-client';

async function factsIn(file: string): Promise<string[]> {
  const store = await openSqlite(file);
  try {
    expect(await store.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    return (await store.all<{ content: string }>(`SELECT content FROM mem_nodes WHERE kind = 'fact'`)).map(
      ({ content }) => content,
    );
  } finally {
    await store.close();
  }
}

async function fill(line: CommandLine): Promise<void> {
  await line.ok('init');
  await line.ok('store', 'one', '--kind', 'fact');
  await line.ok('store', 'two', '--kind', 'fact', '--namespace', 'other');
}

test('a backup is one file with all namespaces, which only its user may read', () =>
  withCommandLine(async (line) => {
    await fill(line);
    expect(await line.ok('backup', 'copy.db')).toMatch(/^Copied 2 memories \([\d.]+ KiB\) to \S+project\/copy\.db\n$/);
    expect((await stat(line.path('copy.db'))).mode & 0o777).toBe(0o600);
    expect(await factsIn(line.path('copy.db'))).toEqual(['one', 'two']);
    expect((await readdir(line.folder)).sort()).toEqual(['.svc', 'copy.db']);
    const made = await line.json('backup', join('.svc', 'second.db'));
    expect(made).toEqual({ path: line.path('.svc', 'second.db'), memories: 2, size_bytes: expect.any(Number) });
  }));

test('a backup of a store that is written all the time is one of a single moment', () =>
  withCommandLine(async (line) => {
    await fill(line);
    const server = await connectServer(line);
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; !isOver; i++) await server.value('memory_store', { content: `number ${i}`, kind: 'fact' });
    })();
    for (let i = 0; i < 3; i++) await line.ok('backup', `copy-${i}.db`);
    isOver = true;
    await writing;
    await server.close();
    for (let i = 0; i < 3; i++) {
      const facts = (await factsIn(line.path(`copy-${i}.db`))).filter((fact) => fact.startsWith('number '));
      expect(facts).toEqual(facts.map((_, number) => `number ${number}`));
    }
  }));

test('without a file it is kept in the home directory, by the id of the store', () =>
  withCommandLine(async (line) => {
    await fill(line);
    const { path } = await line.json<{ path: string }>('backup');
    const [, id] = /\/home\/\.svc\/backups\/([0-9a-f]{32})\/made-[\dTZ-]+\.db$/.exec(path) ?? [];
    expect(await factsIn(path)).toEqual(['one', 'two']);
    const store = await openSqlite(line.path('.svc', 'memory.db'));
    expect(await store.all(`SELECT value FROM mem_flags WHERE name = 'store_id'`)).toEqual([{ value: id }]);
    await store.close();
  }));

test('a backup is never written over a file, a link or a folder, nor into the store', () =>
  withCommandLine(async (line) => {
    await fill(line);
    const store = line.path('.svc', 'memory.db');
    await writeFile(line.path('mine.db'), 'mine');
    await symlink(line.path('mine.db'), line.path('link.db'));
    await symlink(line.path('nowhere.db'), line.path('dangling.db'));
    await mkdir(line.path('folder'));
    const before = await readFile(store);
    for (const [args, code] of [
      [['mine.db'], 'conflict'],
      [['link.db'], 'conflict'],
      [['link.db', '--force'], 'conflict'],
      [['dangling.db', '--force'], 'conflict'],
      [['folder', '--force'], 'conflict'],
      [[store], 'invalid_input'],
      [[store, '--force'], 'invalid_input'],
      [[`${store}-wal`], 'invalid_input'],
      [[join('.', '.svc', '..', '.svc', 'memory.db-journal')], 'invalid_input'],
      [[join('missing', 'copy.db')], 'unavailable'],
    ] as const) {
      const { status, err } = await line.run(['backup', ...args]);
      expect({ status, code: err.split(':')[0] }, args.join(' ')).toEqual({
        status: code === 'invalid_input' ? 2 : 1,
        code,
      });
    }
    expect(await readFile(line.path('mine.db'), 'utf8')).toBe('mine');
    expect(await readFile(store)).toEqual(before);
    expect((await readdir(line.folder)).sort()).toEqual(['.svc', 'dangling.db', 'folder', 'link.db', 'mine.db']);
    await line.ok('backup', 'mine.db', '--force');
    expect(await factsIn(line.path('mine.db'))).toEqual(['one', 'two']);
  }));

test('a foreign store is copied into a file, and has no backups of its own', () =>
  withForeignStore(async (clone) => {
    expect((await clone.run(['backup'])).err).toContain('Name a file: svc-memory backup <file>');
    await clone.ok('backup', 'copy.db');
    expect(await factsIn(clone.path('copy.db'))).toEqual(['tests run on Node 24']);
  }));

test('a backup that could not be made by itself fails no command, and doctor tells of it', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    await line.ok('store', 'one', '--kind', 'fact');
    await rm(join(line.home, '.svc', 'backups'), { recursive: true, force: true });
    await writeFile(join(line.home, '.svc', 'backups'), 'no folder');
    const { status, err } = await line.run(['store', 'two', '--kind', 'fact']);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect((await line.run(['store', 'three', '--kind', 'fact'], { env: { SVC_DEBUG: '1' } })).err).toContain(
      'no backup was made: unavailable: The folder for backups',
    );
    const doctor = await line.run(['doctor']);
    expect(doctor.status).toBe(1);
    expect(doctor.out).toMatch(/The last daily backup could not be made: The folder for backups\s+\S+/);
    await rm(join(line.home, '.svc', 'backups'));
    await line.ok('store', 'four', '--kind', 'fact');
    const again = await line.run(['doctor']);
    expect(again.status).toBe(0);
    expect(again.out).toMatch(/newest backup +daily, \d{4}-\d\d-\d\d \d\d:\d\d, 3 memories/);
  }));

test('doctor names the newest backup, and those of a store that was deleted while it was open', () =>
  withCommandLine(async (line) => {
    await fill(line);
    await line.ok('backup');
    const server = await connectServer(line);
    await server.value('memory_store', { content: 'three', kind: 'fact' });
    await rm(line.path('.svc'), { recursive: true });
    await server.refusal('memory_stats');
    await server.close();
    await line.ok('init');
    const found = JSON.parse((await line.run(['doctor', '--json'])).out);
    expect(found.store.newest_backup).toMatchObject({ kind: 'rescued', memories: 3 });
    // What a backup has replaced is not what "restore-backup" would bring back.
    await line.ok('restore-backup', '--yes');
    expect(JSON.parse((await line.run(['doctor', '--json'])).out).store.newest_backup.kind).toBe('rescued');
    expect(found.notes).toContainEqual(
      expect.stringMatching(
        /^The backup rescued-\S+ is of a store that was deleted while it was open.*svc-memory restore-backup rescued-/,
      ),
    );
  }));
