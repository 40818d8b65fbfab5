import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { openSqlite } from '../support/sqlite';
import { type ConnectedServer, connectServer } from '../support/stdio-client';

const STORED = 20;
/** Longer than a server takes to bring into the file what it has stored, and to notice what became of the file. */
const SETTLED_AFTER_MS = 2_500;

interface Accident {
  readonly line: CommandLine;
  readonly server: ConnectedServer;
  readonly file: string;
}

const MOMENTS = [
  { when: 'right after the last memory was stored', waits: 0 },
  { when: 'when all is quiet', waits: SETTLED_AFTER_MS },
];

/** A server that runs, with memories that it has acknowledged. */
async function withRunningServer(waits: number, work: (accident: Accident) => Promise<void>): Promise<void> {
  await withCommandLine(async (line) => {
    await line.ok('init');
    const server = await connectServer(line);
    try {
      for (let i = 0; i < STORED; i++) await server.value('memory_store', { content: `number ${i}`, kind: 'fact' });
      await delay(waits);
      await work({ line, server, file: line.path('.svc', 'memory.db') });
    } finally {
      await server.close();
    }
  });
}

const kill = (server: ConnectedServer): void => void process.kill(server.pid, 'SIGKILL');

async function factsIn(file: string): Promise<number> {
  const store = await openSqlite(file);
  try {
    expect(await store.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const [row] = await store.all<{ n: number }>(`SELECT count(*) AS n FROM mem_nodes WHERE kind = 'fact'`);
    return row?.n ?? 0;
  } finally {
    await store.close();
  }
}

/** What any door says of the store. */
async function facts(line: CommandLine): Promise<number> {
  return (await line.json<{ kind_counts: { fact: number } }>('stats')).kind_counts.fact;
}

async function noticed({ server }: Accident): Promise<string> {
  return server.refusal('memory_store', { content: 'more', kind: 'fact' });
}

describe.concurrent.each(MOMENTS)('a store that is moved under a running server, $when,', ({ waits }) => {
  test('has everything where it is, and after the advice of the message where it was', () =>
    withRunningServer(waits, async (accident) => {
      const { line, server, file } = accident;
      const moved = line.path('moved.db');
      await rename(file, moved);
      const message = await noticed(accident);
      expect(message).toContain(`was moved to ${moved} while it was open`);
      expect(await server.refusal('memory_recall', { query: 'number' })).toBe(message);
      expect(await factsIn(moved)).toBe(STORED);
      const [, command = ''] = /ask again: (mv .*)\.$/.exec(message) ?? [];
      execFileSync('sh', ['-c', command]);
      expect(await server.text('memory_recall', { query: 'number' })).toContain('number');
      await server.value('memory_store', { content: 'number more', kind: 'fact' });
      expect(await facts(line)).toBe(STORED + 1);
    }));

  test('is whole when it is put back after the server was killed', () =>
    withRunningServer(waits, async ({ line, server, file }) => {
      await rename(file, line.path('moved.db'));
      kill(server);
      await rename(line.path('moved.db'), file);
      expect(await facts(line)).toBe(STORED);
    }));

  test('is whole beside a new one that another server makes at once', () =>
    withRunningServer(waits, async ({ line, server, file }) => {
      await rename(file, line.path('moved.db'));
      const other = await connectServer(line, { env: { SVC_MEMORY_DB: file } });
      await other.value('memory_store', { content: 'of the new one', kind: 'fact' });
      await other.close();
      expect(await factsIn(line.path('moved.db'))).toBe(STORED);
      expect(await factsIn(file)).toBe(1);
      expect(await server.refusal('memory_recall', { query: 'number' })).toMatch(
        /was moved to \S+moved\.db while it was open, and another one lies in its place\./,
      );
      expect(await server.text('memory_recall', { query: 'new' })).toContain('of the new one');
    }));

  test('is not said to be where it was for a while', () =>
    withRunningServer(waits, async (accident) => {
      const { line } = accident;
      await rename(line.path('.svc'), line.path('.svc-x'));
      await delay(SETTLED_AFTER_MS);
      await rename(line.path('.svc-x'), line.path('.svc'));
      await rm(line.path('.svc'), { recursive: true });
      const message = await noticed(accident);
      expect(message).toContain(`was moved to ${line.path('.svc-x', 'memory.db')} while it was open, and is no`);
      expect(message).toContain('restore-backup --list');
    }));

  test('with its whole folder is whole there, for a server that is started there', () =>
    withRunningServer(waits, async (accident) => {
      const { line, server } = accident;
      const there = join(line.folder, '..', 'renamed');
      await rename(line.folder, there);
      const renamed = await connectServer({ folder: there, home: line.home });
      await renamed.value('memory_store', { content: 'number more', kind: 'fact' });
      expect(await noticed(accident)).toContain(`was moved to ${join(there, '.svc', 'memory.db')}`);
      expect(await server.refusal('memory_stats')).toContain('Move its folder back');
      await renamed.close();
      expect(await factsIn(join(there, '.svc', 'memory.db'))).toBe(STORED + 1);
      await rename(there, line.folder);
      expect(await server.text('memory_recall', { query: 'more' })).toContain('number more');
    }));
});

const DELETIONS = [
  { how: 'rm', remove: ({ file }: Accident) => rm(file) },
  { how: 'rm -r .svc', remove: ({ line }: Accident) => rm(line.path('.svc'), { recursive: true }) },
  {
    how: 'git clean',
    remove: async ({ line }: Accident) => {
      execFileSync('git', ['init', '--quiet'], { cwd: line.folder });
      execFileSync('git', ['clean', '--quiet', '-fdx'], { cwd: line.folder });
    },
  },
  {
    how: 'another one in its place',
    says: /was replaced while/,
    remove: async ({ line, file }: Accident) => {
      await mkdir(line.path('other'));
      await line.run(['init'], { cwd: 'other', env: { SVC_MEMORY_DB: line.path('other', 'memory.db') } });
      await rename(line.path('other', 'memory.db'), file);
    },
  },
  {
    how: 'a database of another program in its place',
    remove: async ({ line, file }: Accident) => {
      const other = await openSqlite(line.path('other.db'));
      await other.script('CREATE TABLE notes (text)');
      await other.close();
      await rename(line.path('other.db'), file);
    },
    says: /is a SQLite database of another program/,
  },
];

describe.concurrent.each(DELETIONS)('a store that is deleted under a running server: $how,', ({ remove, says }) => {
  test.each(MOMENTS)('$when, is kept among its backups, once for all that had it open', ({ waits }) =>
    withRunningServer(waits, async (accident) => {
      const { line, server } = accident;
      const other = await connectServer(line);
      await other.value('memory_store', { content: 'number more', kind: 'fact' });
      await remove(accident);
      const message = await noticed(accident);
      expect(message).toMatch(says ?? /was deleted while/);
      const [, name = ''] = /"svc-memory restore-backup (\S+)"/.exec(message) ?? [];
      kill(server);
      const [rescued, ...more] = await line.json<{ kind: string; name: string }[]>('restore-backup', '--list');
      expect(rescued).toMatchObject({ kind: 'rescued', name });
      expect(more.filter(({ kind }) => kind === 'rescued')).toEqual([]);
      await line.ok('restore-backup', name, '--yes');
      expect(await facts(line)).toBe(STORED + 1);
      // It goes on with what was restored, without a word.
      await other.value('memory_store', { content: 'number last', kind: 'fact' });
      await other.close();
      expect(await facts(line)).toBe(STORED + 2);
    }),
  );
});

test('a log that is deleted under a running server takes nothing with it', () =>
  withRunningServer(0, async ({ line, server, file }) => {
    await rm(`${file}-wal`);
    await server.value('memory_store', { content: 'number more', kind: 'fact' }).catch(() => undefined);
    expect(await server.text('memory_recall', { query: 'number' })).toContain('number');
    await server.close();
    expect(await facts(line)).toBeGreaterThanOrEqual(STORED);
    expect(await factsIn(file)).toBeGreaterThanOrEqual(STORED);
  }));

describe.concurrent('a store that another program writes over while servers run', () => {
  /** A copy of the store as it was when all was quiet, and more that was stored since. */
  async function withOlderCopy(
    work: (accident: Accident, copy: string) => Promise<void>,
    later = 2 * STORED,
  ): Promise<void> {
    await withRunningServer(SETTLED_AFTER_MS, async (accident) => {
      const { line, server, file } = accident;
      const copy = line.path('copy.db');
      await copyFile(file, copy);
      for (let i = 0; i < later; i++) await server.value('memory_store', { content: `later ${i}`, kind: 'fact' });
      await work(accident, copy);
    });
  }

  test('is what was written, whole, and goes on from there', () =>
    withOlderCopy(async ({ line, server, file }, copy) => {
      const other = await connectServer(line);
      await other.text('memory_recall', { query: 'later' });
      await delay(SETTLED_AFTER_MS);
      await copyFile(copy, file);
      for (const [i, each] of [server, other].entries()) {
        const message = await each.refusal('memory_store', { content: 'more', kind: 'fact' });
        expect(message).toContain('Another program wrote over the store');
        expect(message).toContain('svc-memory restore-backup --list');
        await each.value('memory_store', { content: `goes on ${i}`, kind: 'fact' });
        expect(await each.text('memory_recall', { query: 'later' })).toContain('0 items');
      }
      await other.close();
      expect(await facts(line)).toBe(STORED + 2);
      kill(server);
      expect(await factsIn(file)).toBe(STORED + 2);
    }));

  test('right after a memory was stored, with what it was before that, still has it', () =>
    withOlderCopy(async ({ line, server, file }, copy) => {
      await copyFile(copy, file);
      await server.value('memory_store', { content: 'goes on', kind: 'fact' });
      await delay(SETTLED_AFTER_MS);
      kill(server);
      expect(await facts(line)).toBe(STORED + 2);
      expect(await factsIn(file)).toBe(STORED + 2);
      // One, because the log is brought into the file a second after the first.
    }, 1));

  test('right after a memory was stored, with what it was long before, is what was written', () =>
    withOlderCopy(async ({ line, server, file }, copy) => {
      await delay(SETTLED_AFTER_MS);
      await server.value('memory_store', { content: 'last', kind: 'fact' });
      await copyFile(copy, file);
      await server.refusal('memory_store', { content: 'more', kind: 'fact' });
      await server.value('memory_store', { content: 'goes on', kind: 'fact' });
      kill(server);
      expect(await facts(line)).toBe(STORED + 1);
      expect(await factsIn(file)).toBe(STORED + 1);
    }));

  test('with one of another project, is that one, which nobody has accepted', () =>
    withOlderCopy(async ({ line, server, file }) => {
      await mkdir(line.path('other'));
      const elsewhere = {
        cwd: 'other',
        env: { SVC_MEMORY_DB: line.path('other', 'memory.db'), HOME: line.path('other') },
      };
      await line.run(['store', 'of the other', '--kind', 'fact'], elsewhere);
      await copyFile(line.path('other', 'memory.db'), file);
      await server.refusal('memory_recall', { query: 'other' });
      expect(await server.text('memory_recall', { query: 'other' })).toContain('· foreign — of the other');
    }));

  test('is not taken for one when another process stores in it, or purges', () =>
    withOlderCopy(async ({ line, server }) => {
      for (let i = 0; i < 3; i++) {
        const stored = await line.json<{ node_id: string }>('store', `by hand ${i}`, '--kind', 'fact');
        await line.ok('forget', '--node-id', stored.node_id, '--purge');
        await server.value('memory_store', { content: `beside ${i}`, kind: 'fact' });
      }
    }));
});

test('a store that is deleted where nothing can be kept is read on, and kept as soon as that is possible', () =>
  withRunningServer(SETTLED_AFTER_MS, async ({ line, server, file }) => {
    const backups = join(line.home, '.svc', 'backups');
    await rm(backups, { recursive: true, force: true });
    await writeFile(backups, 'No folder can be made here.');
    await rm(file);
    const store = () => server.refusal('memory_store', { content: 'more', kind: 'fact' });
    const message = await store();
    expect(message).toMatch(/could not be saved elsewhere\. The folder for backups .* cannot be made or written/);
    expect(message).toContain('Nothing is lost while this process runs');
    expect(await store()).toBe(message);
    expect(await server.text('memory_recall', { query: 'number' })).toContain('number 7');
    await rm(backups);
    let kept = '';
    while (!kept.includes('is kept in the backup')) {
      await delay(100);
      kept = await store();
    }
    await line.ok('restore-backup', '--yes');
    expect(await facts(line)).toBe(STORED);
  }));

test('a store that is written over before its log could be emptied once is noticed', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const file = line.path('.svc', 'memory.db');
    await line.ok('store', 'in both', '--kind', 'fact');
    const copy = line.path('copy.db');
    await copyFile(file, copy);
    await line.ok('store', 'later', '--kind', 'fact');
    // Who reads keeps what is stored from now on in the log.
    const reader = await openSqlite(file);
    await reader.all('BEGIN');
    await reader.all('SELECT * FROM mem_nodes');
    await line.ok('store', 'latest', '--kind', 'fact');
    const server = await connectServer(line);
    try {
      expect(await server.text('memory_recall', { query: 'latest' })).toContain('latest');
      await copyFile(copy, file);
      const message = await server.refusal('memory_store', { content: 'more', kind: 'fact' });
      expect(message).toContain('Another program wrote over the store');
    } finally {
      await reader.close();
      await server.close();
    }
    expect(await factsIn(file)).toBe(1);
  }));
