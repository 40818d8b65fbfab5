import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandLine, PROGRAM_FILE, withCommandLine } from '../support/command-line';
import { withForeignStore } from '../support/foreign-store';
import { openSqlite } from '../support/sqlite';
import { connectServer } from '../support/stdio-client';
import { CONTROL_D, runOnTerminal } from '../support/terminal';

const remember = (line: CommandLine, content: string) => line.ok('store', content, '--kind', 'fact');

/** A store with one memory, a backup of it that a person made, and another memory since. */
async function withBackup(work: (line: CommandLine, backup: string) => Promise<void>): Promise<void> {
  await withCommandLine(async (line) => {
    await line.ok('init');
    await remember(line, 'kept');
    const { path } = await line.json<{ path: string }>('backup');
    await remember(line, 'lost');
    await work(line, path);
  });
}

const nameOf = (path: string): string => basename(path, '.db');

async function facts(line: CommandLine): Promise<string[]> {
  const nodes = await line.json<{ content: string }[]>('nodes', '--kinds', 'fact');
  return nodes.map(({ content }) => content).sort();
}

interface Restored {
  readonly path: string;
  readonly memories: number;
  readonly kept: string | null;
  readonly backup: string;
}

test('the newest backup takes the place of the store, which is kept as another one; programs that run go on with it', () =>
  withBackup(async (line, backup) => {
    const server = await connectServer(line);
    const other = await connectServer(line);
    await server.value('memory_store', { content: 'lost, too', kind: 'fact' });
    await other.text('memory_recall', { query: 'lost' });
    // That of today was made after it.
    const restored = await line.json<Restored>('restore-backup', nameOf(backup), '--yes');
    expect(restored).toEqual({
      ...{ path: line.path('.svc', 'memory.db'), memories: 1, backup },
      kept: expect.stringMatching(/\/backups\/[0-9a-f]{32}\/replaced-[\dTZ-]+\.db$/),
    });
    for (const each of [server, other]) {
      expect(await each.text('memory_recall', { query: 'lost' })).toContain('0 items');
      await each.value('memory_store', { content: `by ${each.pid}`, kind: 'fact' });
    }
    await server.close();
    await other.close();
    expect(await facts(line)).toEqual([...[`by ${server.pid}`, `by ${other.pid}`].sort(), 'kept']);
    expect((await readdir(line.path('.svc'))).sort()).toEqual(['.gitignore', 'memory.db']);
    await line.ok('restore-backup', nameOf(restored.kept ?? ''), '--yes');
    expect(await facts(line)).toEqual(['kept', 'lost', 'lost, too']);
  }));

test('nothing that is acknowledged while a backup is restored is lost: it is in the store, or in what is kept', () =>
  withBackup(async (line, backup) => {
    const servers = await Promise.all([1, 2, 3].map(() => connectServer(line)));
    let isOver = false;
    const acknowledged: string[] = [];
    const writing = servers.map(async (server, s) => {
      for (let i = 0; !isOver; i++) {
        const content = `server ${s} stores ${i}`;
        const { isError } = await server.call('memory_store', { content, kind: 'fact' });
        if (!isError) acknowledged.push(content);
      }
    });
    const kept: string[] = [];
    for (let i = 0; i < 3; i++) {
      kept.push((await line.json<Restored>('restore-backup', nameOf(backup), '--yes')).kept ?? '');
    }
    isOver = true;
    await Promise.all(writing);
    for (const server of servers) await server.close();
    const found = new Set(await facts(line));
    for (const file of kept) for (const fact of await factsIn(file)) found.add(fact);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((content) => !found.has(content))).toEqual([]);
    expect(await (await openSqlite(line.path('.svc', 'memory.db'))).all('PRAGMA integrity_check')).toEqual([
      { integrity_check: 'ok' },
    ]);
  }));

test('what there is is listed, with when it was made, what it holds and how large it is', () =>
  withBackup(async (line, backup) => {
    const list = await line.ok('restore-backup', '--list');
    const row = (kind: string) => String.raw`\d{4}-\d\d-\d\d \d\d:\d\d  ${kind} +1 memory +[\d.]+ KiB +`;
    expect(list).toMatch(
      new RegExp(`^Backups of \\S+memory\\.db\n${row('daily')}daily-[\\d-]+\n${row('by hand')}${nameOf(backup)}\n$`),
    );
    expect(await line.json('restore-backup', '--list')).toMatchObject([
      { kind: 'daily', memories: 1 },
      { kind: 'made', memories: 1, path: backup, name: nameOf(backup), size: expect.any(Number) },
    ]);
    await mkdir(line.path('elsewhere'));
    const elsewhere = { cwd: 'elsewhere', env: { SVC_MEMORY_DB: line.path('elsewhere', 'memory.db') } };
    expect((await line.run(['restore-backup', '--list'], elsewhere)).out).toMatch(/^There is no backup of /);
    expect((await line.run(['restore-backup', '--yes'], elsewhere)).err).toMatch(
      /^not_found: The store \S+ has no backup/,
    );
    expect((await line.run(['restore-backup', 'nothing', '--yes'])).err).toMatch(/^not_found: .*"nothing"/);
  }));

test('a person is asked, with what would be restored and what is there now', () =>
  withBackup(async (line, backup) => {
    const args = ['restore-backup', nameOf(backup)];
    for (const keys of ['n\r', '\r', CONTROL_D]) {
      const no = await runOnTerminal(line, PROGRAM_FILE, args, [['Restore it?', keys]]);
      expect(no).toMatchObject({ status: 1, screen: expect.stringContaining('Nothing was restored') });
    }
    expect((await line.run(args)).err).toMatch(/there is no terminal to ask on.*pass --yes/);
    expect(await facts(line)).toEqual(['kept', 'lost']);
    const { status, screen } = await runOnTerminal(line, PROGRAM_FILE, args, [['Restore it?', 'y\r']]);
    expect(status).toBe(0);
    expect(screen).toMatch(/made-\S+\.db\n {2}1 memory, [\d.]+ KiB\ntakes the place of /);
    expect(screen).toContain('which has 2 memories now; they are kept as another backup');
    expect(screen).toMatch(/Restored 1 memory to \S+memory\.db\nWhat lay there before is kept:\s+\S+replaced-/);
    expect(await facts(line)).toEqual(['kept']);
  }));

test('a damaged store is kept as it is, and the backup takes its place', () =>
  withBackup(async (line, backup) => {
    const store = line.path('.svc', 'memory.db');
    const damages: (() => Promise<void>)[] = [
      () => writeFile(store, 'no database '.padEnd(3_000, '.')),
      async () => {
        const file = await open(store, 'r+');
        await file.write(Buffer.alloc(60_000, 0xaa), 0, 60_000, 4_096);
        await file.close();
      },
      async () => {
        const other = await openSqlite(store);
        await other.all('CREATE TABLE strange (x)');
        await other.close();
      },
    ];
    for (const damage of damages) {
      await damage();
      const bytes = await readFile(store);
      const { kept } = await line.json<Restored>('restore-backup', nameOf(backup), '--yes');
      expect(await readFile(kept ?? '')).toEqual(bytes);
      expect(await facts(line)).toEqual(['kept']);
    }
  }));

test('a store that is emptied while a program has it open is refused, and nobody waits until a backup is in its place', () =>
  withBackup(async (line, backup) => {
    const server = await connectServer(line);
    await server.text('memory_recall', { query: 'lost' });
    await writeFile(line.path('.svc', 'memory.db'), '');
    const refused =
      /^unavailable: \S+memory\.db is damaged: another program emptied it\. To begin a new store, delete it\. .*restore-backup/;
    for (const command of [['recall', 'lost'], ['status'], ['init']]) {
      expect(await line.run(command)).toMatchObject({ status: 1, err: expect.stringMatching(refused) });
    }
    expect((await line.run(['doctor'])).out).toMatch(/## Wrong\n- \S+memory\.db\s+is\s+damaged:\s+another\s/);
    const restored = await line.json<Restored>('restore-backup', nameOf(backup), '--yes');
    expect(restored).toMatchObject({ memories: 1, kept: null });
    await server.value('memory_store', { content: 'since', kind: 'fact' });
    expect(await facts(line)).toEqual(['kept', 'since']);
    await server.value('memory_store', { content: 'in the log alone', kind: 'fact' });
    await writeFile(line.path('.svc', 'memory.db'), '');
    expect(await line.run(['status'])).toMatchObject({ status: 1, err: expect.stringMatching(refused) });
    await line.ok('restore-backup', nameOf(backup), '--yes');
    await server.close();
    expect(await facts(line)).toEqual(['kept']);
  }));

test('an empty file that was no store becomes one', () =>
  withCommandLine(async (line) => {
    await mkdir(line.path('.svc'));
    await writeFile(line.path('.svc', 'memory.db'), '');
    await remember(line, 'first');
    expect(await facts(line)).toEqual(['first']);
  }));

test('a store that is gone comes back where it was, from any folder of its project', () =>
  withBackup(async (line, backup) => {
    await mkdir(line.path('src', 'deep'), { recursive: true });
    await rm(line.path('.svc'), { recursive: true });
    const there = { cwd: join('src', 'deep') };
    expect((await line.run(['restore-backup', '--list'], there)).out).toContain(nameOf(backup));
    const { out } = await line.run(['restore-backup', '--yes'], there);
    expect(out).toMatch(/^Restored 1 memory to \S+project\/\.svc\/memory\.db\n$/);
    expect(await facts(line)).toEqual(['kept']);
    expect((await line.run(['store', 'mine', '--kind', 'fact'])).err).toBe('');
    await rm(line.path('.svc'), { recursive: true });
    // Elsewhere, by its name: it is of this store.
    await mkdir(join(line.folder, '..', 'other'));
    const elsewhere = await line.run(['restore-backup', nameOf(backup), '--yes'], { cwd: '../other' });
    expect(elsewhere.out).toMatch(/^Restored 1 memory to \S+project\/\.svc\/memory\.db\n$/);
    expect(await facts(line)).toEqual(['kept']);
  }));

test('a log without its file is kept, too', () =>
  withBackup(async (line, backup) => {
    const store = line.path('.svc', 'memory.db');
    await rm(store);
    await writeFile(`${store}-wal`, 'what was stored last'.padEnd(5_000, '.'));
    expect((await line.run(['recall', 'kept'])).err).toMatch(/its log is: .*"svc-memory restore-backup" brings back/);
    const { kept } = await line.json<Restored>('restore-backup', nameOf(backup), '--yes');
    expect(await readFile(kept ?? '', 'utf8')).toContain('what was stored last');
    expect(await facts(line)).toEqual(['kept']);
    expect((await readdir(line.path('.svc'))).sort()).toEqual(['.gitignore', 'memory.db']);
  }));

test('a backup that is damaged, or no store, changes nothing', () =>
  withBackup(async (line, backup) => {
    const before = await readFile(line.path('.svc', 'memory.db'));
    const damaged = line.path('damaged.db');
    await copyFile(backup, damaged);
    const file = await open(damaged, 'r+');
    await file.write(Buffer.alloc(40_000, 0xaa), 0, 40_000, 20_000);
    await file.close();
    await writeFile(line.path('notes.txt'), 'notes');
    // Of a process that was ended.
    await writeFile(line.path('.svc', 'memory.db.restoring-999999999'), 'half of it');
    for (const named of [damaged, 'notes.txt', 'src']) {
      const { status, err } = await line.run(['restore-backup', named, '--yes']);
      expect({ status, err }, named).toEqual({ status: 1, err: expect.stringMatching(/^(?:unavailable|not_found): /) });
    }
    expect(await readFile(line.path('.svc', 'memory.db'))).toEqual(before);
    expect(await facts(line)).toEqual(['kept', 'lost']);
    expect((await readdir(line.path('.svc'))).sort()).toEqual(['.gitignore', 'memory.db']);
  }));

test('a file that lies elsewhere is restored by a person alone, and is known from then on', () =>
  withForeignStore(async (clone) => {
    const file = join(clone.folder, '..', 'stranger.db');
    await rename(clone.store, file);
    const args = ['restore-backup', file, '--yes'];
    const agent = await clone.run(args, { env: { CLAUDECODE: '1' } });
    expect(agent).toMatchObject({ status: 1, err: expect.stringContaining('an agent runs this command') });
    expect((await clone.run(['restore-backup', file, '--yes'], { env: { SVC_MEMORY_DB: clone.store } })).status).toBe(
      0,
    );
    const { out, err } = await clone.run(['recall', 'sqlite']);
    expect(out).toContain('conf 1.00 — we chose sqlite');
    expect(err).toBe('');
  }));

test('a foreign store is kept, too, before a backup takes its place', () =>
  withForeignStore(async (clone) => {
    await clone.ok('backup', 'copy.db');
    const bytes = await readFile(clone.store);
    const { out } = await clone.run(['restore-backup', 'copy.db', '--yes', '--json']);
    expect(await readFile((JSON.parse(out) as Restored).kept ?? '')).toEqual(bytes);
    expect((await clone.run(['store', 'mine', '--kind', 'fact'])).err).toBe('');
  }));

test('a purge says that backups which held it were deleted', () =>
  withBackup(async (line, backup) => {
    const nodes = await line.json<{ id: string; content: string }[]>('nodes', '--kinds', 'fact');
    const purge = async (content: string): Promise<string> => {
      const { id = '' } = nodes.find((node) => node.content === content) ?? {};
      return (await line.run(['forget', '--node-id', id, '--purge'])).err;
    };
    expect(await purge('lost')).toBe('');
    expect(await purge('kept')).toBe('2 backups that held it were deleted, too.\n');
    await expect(stat(backup)).rejects.toThrow();
  }));

async function factsIn(file: string): Promise<string[]> {
  const store = await openSqlite(file);
  try {
    const rows = await store.all<{ content: string }>(`SELECT content FROM mem_nodes WHERE kind = 'fact'`);
    return rows.map(({ content }) => content);
  } finally {
    await store.close();
  }
}

test('a command where the store was deleted says so, and what brings it back, until a new one is begun', () =>
  withBackup(async (line) => {
    await rm(line.path('.svc'), { recursive: true });
    await mkdir(line.path('src'));
    for (const cwd of ['.', 'src']) {
      const { status, err } = await line.run(['recall', 'kept'], { cwd });
      expect(err).toContain('memory.db is not there any more: "svc-memory restore-backup" brings it back');
      // Nothing was found.
      expect(status).toBe(1);
    }
    await line.ok('init');
    expect((await line.run(['recall', 'kept'])).err).toBe('');
  }));
