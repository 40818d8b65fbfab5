import { readdirSync } from 'node:fs';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MEMORY_MIGRATIONS } from '../../src/server/memory/migrations/index';
import type { Diagnosis } from '../../src/server/project/doctor';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { openSqlite } from '../support/sqlite';

const STORE = join('.svc', 'memory.db');

async function diagnosis(
  place: CommandLine,
  env: Record<string, string> = {},
): Promise<Diagnosis & { ok: boolean; status: unknown }> {
  const { status, out } = await place.run(['doctor', '--json'], { env });
  return { ...JSON.parse(out), status };
}

async function sql(path: string, ...statements: string[]): Promise<void> {
  const database = await openSqlite(path);
  for (const statement of statements) await database.all(statement);
  await database.close();
}

test('doctor shows the store, why it is this one, versions, sizes and counts, and ends with 0 when all is well', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init', '--register');
    await place.ok('store', 'a fact', '--kind', 'fact');
    await place.ok('store', 'another', '--kind', 'fact', '--namespace', 'other');
    await place.ok('end-session', 'done');
    const text = await place.ok('doctor');
    const masked = text
      .replaceAll(place.folder, '/project')
      .replaceAll(/\d+\.\d+\.\d+/g, '0.0.0')
      .replaceAll(/[\d.]+ KiB/g, '0 KiB')
      .replace(/(0\.0\.0, )(?:the module compiled on this machine|the one that Node brings)\n/, '$1its driver\n')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '2026-01-01 00:00')
      .replaceAll(/^(schema +)\d+ \(this program knows \d+\)/gm, '$1as known')
      .replaceAll(/^(svc(?:-memory)? {2,})\/.*\n( {12}.*\n)*/gm, '$1node server\n');
    expect(masked).toMatchSnapshot();
    const found = await diagnosis(place);
    expect(found).toMatchObject({
      status: 0,
      ok: true,
      store: {
        exists: true,
        integrity: 'ok',
        schema: MEMORY_MIGRATIONS.length,
        known_schema: MEMORY_MIGRATIONS.length,
      },
      memories: { default: { fact: 1, outcome: 1, session: 1 }, other: { fact: 1, session: 1 } },
      jobs: { queued: 1, running: 0, failed: 0 },
      erase_pending: false,
      client_config: {
        servers: [
          { name: 'svc', problem: null },
          { name: 'svc-memory', problem: null },
        ],
      },
      problems: [],
    });
  });
});

test('doctor makes no store', async () => {
  await withCommandLine(async (place) => {
    const found = await diagnosis(place);
    expect(found).toMatchObject({
      status: 0,
      versions: { sqlite: null, sqlite_driver: process.env.SVC_SQLITE === 'node' ? 'node' : 'native' },
      store: { exists: false, path: join(place.home, STORE), integrity: null },
    });
    expect(found.notes.join('\n')).toContain('not there yet');
    expect([...readdirSync(place.folder), ...readdirSync(place.home)]).toEqual([]);
  });
});

test('doctor finds damage in the middle of the store', async () => {
  await withCommandLine(async (place) => {
    for (let i = 0; i < 3; i++) await place.ok('store', `${i} ${'text '.repeat(15_000)}`, '--kind', 'fact');
    const { path } = (await diagnosis(place)).store;
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(16_384, 0xa5), 0, 16_384, Math.floor(size / 2));
    await file.close();
    const { status, store, problems, ok } = await diagnosis(place);
    expect([status, ok, store.integrity]).toEqual([1, false, 'damaged']);
    expect(problems.join('\n')).toContain('damaged');
    const { status: again, out, err } = await place.run(['doctor']);
    expect(again).toBe(1);
    expect(out).toContain('## Wrong');
    expect(err).toBe('');
    // Whatever a command makes of such a store, it ends with one sentence and no stack.
    for (const args of [
      ['stats'],
      ['nodes'],
      ['list-sessions'],
      ['recall', 'text'],
      ['export'],
      ['consolidate', '--all'],
    ]) {
      const { status: ended, err: said } = await place.run(args);
      expect([0, 1]).toContain(ended);
      expect(said).toMatch(ended === 0 ? /^$/ : /^\w+: .+\n$/);
    }
  });
});

test('doctor tells a file that is no database, and one of another program, and changes neither', async () => {
  await withCommandLine(async (place) => {
    await writeFile(
      place.path('text.db'),
      'not a database, but long enough to have a header of one hundred bytes. '.repeat(4),
    );
    await sql(place.path('foreign.db'), 'CREATE TABLE cookies (name TEXT)', 'INSERT INTO cookies VALUES (1)');
    for (const [name, problem] of [
      ['text.db', 'is damaged or is not a SQLite database'],
      ['foreign.db', 'is a SQLite database of another program'],
    ] as const) {
      const before = await readFile(place.path(name));
      const found = await diagnosis(place, { SVC_MEMORY_DB: place.path(name) });
      expect(found).toMatchObject({ status: 1, ok: false, store: { reason: 'SVC_MEMORY_DB names it' } });
      expect(found.problems.join('\n')).toContain(problem);
      expect((await readFile(place.path(name))).equals(before)).toBe(true);
    }
  });
});

test('doctor tells a store that is no file', async () => {
  await withCommandLine(async (place) => {
    const found = await diagnosis(place, { SVC_MEMORY_DB: place.folder });
    expect(found.status).toBe(1);
    expect(found.problems).toEqual([expect.stringContaining('is no file')]);
  });
});

test('doctor tells a store of a newer program', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await sql(place.path(STORE), 'PRAGMA user_version = 99');
    const found = await diagnosis(place);
    expect(found.status).toBe(1);
    expect(found.problems.join('\n')).toContain(
      `has schema version 99, newer than the ${MEMORY_MIGRATIONS.length} that this program knows`,
    );
  });
});

test('doctor tells failed jobs', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await sql(
      place.path(STORE),
      `INSERT INTO mem_jobs (ns, state, queued_at) VALUES (1, 'failed', '2026-01-01T00:00:00.000Z');`,
    );
    expect((await diagnosis(place)).problems).toEqual([expect.stringContaining('1 consolidation job failed')]);
  });
});

test('doctor names the entries of .mcp.json that cannot start, and a malformed file', async () => {
  const servers = {
    gone: { command: 'no-such-program-anywhere' },
    moved: { command: process.execPath, args: ['/gone/server.js'] },
    remote: { url: 'https://example.com/mcp' },
    filled: { command: `\${workspaceFolder}/run` },
    fine: { command: process.execPath, args: ['-e', '0'] },
  };
  await withCommandLine(
    async (place) => {
      await place.ok('init');
      const { status, problems, notes } = await diagnosis(place);
      expect(status).toBe(1);
      expect(problems).toEqual([
        expect.stringContaining('"gone"'),
        expect.stringMatching(/"moved".*its program \/gone\/server\.js does not exist/),
      ]);
      expect(notes.join('\n')).toContain('"svc-memory init --register" adds it');
      await writeFile(place.path('.mcp.json'), '{');
      expect((await diagnosis(place)).problems).toEqual([expect.stringContaining('is not valid JSON')]);
    },
    { files: { '.mcp.json': JSON.stringify({ mcpServers: servers }) } },
  );
});
