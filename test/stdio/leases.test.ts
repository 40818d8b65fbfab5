import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { beforeLeases } from '../support/older-store';
import { openSqlite } from '../support/sqlite';
import { connectServer } from '../support/stdio-client';

const FACT = { content: 'The build takes nine minutes', kind: 'fact' };

interface Listed {
  readonly id: string;
  readonly valid_until: string | null;
  readonly holder: { readonly pid: number; readonly client: string; readonly alive: boolean };
}

const sessions = ({ json }: CommandLine) => json<Listed[]>('sessions');
const alive = async (line: CommandLine) => (await sessions(line)).map(({ holder }) => holder.alive);

/** As if it had all been that much longer ago, leases included. */
async function passed(line: CommandLine, time: string): Promise<void> {
  const earlier = (column: string): string => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-${time}')`;
  const store = await openSqlite(line.path('.svc', 'memory.db'));
  await store.all(`UPDATE mem_sessions SET ${earlier('last_write_at')}, ${earlier('lease_until')}`);
  await store.all(`UPDATE mem_nodes SET ${earlier('recorded_at')}, ${earlier('valid_from')}`);
  await store.close();
}

test('another process sees who holds a session; a server whose client goes gives it up at once', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const server = await connectServer(line, { clientName: 'An agent' });
    await server.text('memory_store', FACT);
    expect(await sessions(line)).toMatchObject([{ holder: { client: 'An agent', pid: server.pid, alive: true } }]);
    expect(await line.ok('sessions')).toMatch(/An agent \(\d+ on .*, holds it\)/);
    await server.close();
    expect(await alive(line)).toEqual([false]);
    // It stays open.
    expect(await sessions(line)).toMatchObject([{ valid_until: null }]);
  }));

test('a server that was killed holds its session until the lease ends; it is closed after a day', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const server = await connectServer(line);
    await server.text('memory_store', FACT);
    process.kill(server.pid, 'SIGKILL');
    await server.close();
    expect(await alive(line)).toEqual([true]);
    await passed(line, '15 minutes');
    expect(await alive(line)).toEqual([false]);
    expect(await line.ok('consolidate')).toContain('No job waited');
    await passed(line, '1 day');
    expect(await line.ok('consolidate')).toContain('1 job done.');
    expect(await sessions(line)).toMatchObject([{ valid_until: expect.any(String) }]);
  }));

test('a server goes on with its session after a sleep of the machine, as long as nobody closed it', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const server = await connectServer(line);
    await server.text('memory_store', FACT);
    const [before] = await sessions(line);
    await passed(line, '10 hours');
    expect(await alive(line)).toEqual([false]);
    await server.text('memory_store', { ...FACT, content: 'It was slower before' });
    expect(await sessions(line)).toMatchObject([{ id: before?.id, holder: { alive: true } }]);
    await passed(line, '2 days');
    await line.ok('consolidate');
    await server.text('memory_store', { ...FACT, content: 'It is fast now' });
    expect(await alive(line)).toEqual([true, false]);
    await server.close();
  }));

test('a session of a version without leases is held for fifteen minutes after its last write', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    await line.ok('store', 'from before', '--kind', 'fact');
    const path = join(line.folder, '.svc', 'memory.db');
    await beforeLeases(path);
    expect(await alive(line)).toEqual([true]);
    const store = await openSqlite(path);
    expect(
      await store.all(
        `SELECT (julianday(lease_until) - julianday(last_write_at)) * 24 * 60 AS minutes, length(lease_until) AS length,
                principal FROM mem_sessions`,
      ),
    ).toEqual([{ minutes: expect.closeTo(15, 3), length: 24, principal: null }]);
    await store.close();
    await passed(line, '15 minutes');
    expect(await alive(line)).toEqual([false]);
  }));
