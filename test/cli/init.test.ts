import { chmod, mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { BRIEFLY, makePipe } from '../support/special-files';

const SERVER_FILE = resolve(__dirname, '../../dist/svc-memory-mcp.js');
const GRAPH_SERVER_FILE = resolve(__dirname, '../../dist/svc-mcp.js');
const STORE = join('.svc', 'memory.db');
const config = (place: CommandLine): Promise<string> => readFile(place.path('.mcp.json'), 'utf8');

test('init makes the store and its .gitignore, and prints one line with the absolute path', async () => {
  await withCommandLine(async ({ run, path, folder }) => {
    const store = join(await realpath(folder), STORE);
    expect(await run(['init'])).toEqual({ status: 0, out: `Created the store ${store}\n`, err: '' });
    expect((await readFile(path(STORE))).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(await readFile(path('.svc', '.gitignore'), 'utf8')).toBe('*\n!config.yaml\n!memories/\n!memories/**\n');
    expect((await readdir(path('.svc'))).sort()).toEqual(['.gitignore', 'memory.db']);
  });
});

test('init a second time says that the store is there, and changes nothing', async () => {
  await withCommandLine(async ({ run, ok, path, folder }) => {
    await ok('init');
    await ok('store', 'kept', '--kind', 'fact');
    const before = await Promise.all([readFile(path(STORE)), stat(path(STORE))]);
    const store = join(await realpath(folder), STORE);
    expect(await run(['init'])).toEqual({ status: 0, out: `The store is already there: ${store}\n`, err: '' });
    const after = await Promise.all([readFile(path(STORE)), stat(path(STORE))]);
    expect(after[0].equals(before[0])).toBe(true);
    expect(after[1].mtimeMs).toBe(before[1].mtimeMs);
    expect(await ok('recall', 'kept')).toContain('1 items');
  });
});

test('in a repository the store is made in its root, and found from every folder below', async () => {
  await withCommandLine(
    async ({ run, folder }) => {
      const store = join(await realpath(folder), STORE);
      expect((await run(['init'], { cwd: 'src/deep' })).out).toBe(`Created the store ${store}\n`);
      expect((await run(['init'], { cwd: 'src' })).out).toBe(`The store is already there: ${store}\n`);
    },
    { files: { '.git/HEAD': 'ref: refs/heads/main\n', 'src/deep/a.ts': '' } },
  );
});

test('a .svc in the current folder wins over the root of the repository', async () => {
  await withCommandLine(
    async ({ run, folder }) => {
      const store = join(await realpath(folder), 'packages', 'one', STORE);
      expect((await run(['init'], { cwd: 'packages/one' })).out).toBe(`Created the store ${store}\n`);
      expect((await run(['init'], { cwd: 'packages/one/src' })).out).toBe(`The store is already there: ${store}\n`);
    },
    { files: { '.git/HEAD': '', 'packages/one/.svc/config.yaml': '', 'packages/one/src/a.ts': '' } },
  );
});

test('a home directory under version control is no project of everything in it', async () => {
  await withCommandLine(async ({ run, home, folder }) => {
    await mkdir(join(home, '.git'));
    await mkdir(join(home, 'work'));
    const inside = await run(['init'], { cwd: join('..', 'home', 'work') });
    expect(inside.out).toBe(`Created the store ${join(await realpath(home), 'work', STORE)}\n`);
    expect(await readdir(folder)).toEqual([]);
  });
});

test('SVC_MEMORY_DB is honoured', async () => {
  await withCommandLine(async ({ run, path, folder }) => {
    const env = { SVC_MEMORY_DB: path('elsewhere', 'my.db') };
    expect((await run(['init'], { env })).out).toBe(`Created the store ${path('elsewhere', 'my.db')}\n`);
    expect((await run(['init'], { env })).out).toBe(`The store is already there: ${path('elsewhere', 'my.db')}\n`);
    expect(await readdir(folder)).toEqual(['elsewhere']);
    expect(await readdir(path('elsewhere'))).toEqual(['my.db']);
  });
});

test('a file that is no store is refused and left as it is', async () => {
  await withCommandLine(
    async ({ run, path }) => {
      const { status, out, err } = await run(['init']);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(/^unavailable: .* is damaged or is not a SQLite database\. Nothing was changed\. /);
      expect(await readFile(path(STORE), 'utf8')).toBe(
        'my shopping list, which is long enough to be a file of some size',
      );
    },
    { files: { [STORE]: 'my shopping list, which is long enough to be a file of some size' } },
  );
});

test('--register writes entries that start this installation, once', async () => {
  await withCommandLine(async (place) => {
    const out = await place.ok('init', '--register');
    expect(out.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^Registered "svc" in \/.*\.mcp\.json$/),
      expect.stringMatching(/^Registered "svc-memory" in \/.*\.mcp\.json$/),
      '',
    ]);
    expect(JSON.parse(await config(place))).toEqual({
      mcpServers: {
        svc: { command: process.execPath, args: [GRAPH_SERVER_FILE], description: expect.stringMatching(/\w/) },
        'svc-memory': { command: process.execPath, args: [SERVER_FILE], description: expect.stringMatching(/\w/) },
      },
    });
    const before = await config(place);
    expect(await place.ok('init', '--register')).toContain('"svc-memory" is already registered');
    expect(await config(place)).toBe(before);
  });
});

test('--register writes the bare command where it is on the PATH that an editor will have', async () => {
  await withCommandLine(async (place) => {
    for (const bin of ['bin', 'node_modules/.bin']) {
      await mkdir(place.path(bin), { recursive: true });
      await writeFile(place.path(bin, 'svc-memory-mcp'), '#!/bin/sh\n');
      await chmod(place.path(bin, 'svc-memory-mcp'), 0o755);
    }
    const servers = async () => JSON.parse(await config(place)).mcpServers;
    await place.run(['init', '--register'], { env: { PATH: place.path('node_modules', '.bin') } });
    expect((await servers())['svc-memory']).toMatchObject({ command: process.execPath });
    await writeFile(place.path('.mcp.json'), '{}');
    await place.run(['init', '--register'], { env: { PATH: place.path('bin') } });
    expect((await servers())['svc-memory']).toEqual({ command: 'svc-memory-mcp', description: expect.any(String) });
  });
});

const COMMENTED = `// servers of this project
{
\t"mcpServers": {
\t\t/* the weather */
\t\t"weather": { "command": "weather", "args": ["--celsius"] }, // keep
\t},
\t"other": [1,2,   3]
}
`;

test('--register keeps other entries, comments and formatting', async () => {
  await withCommandLine(
    async (place) => {
      await place.ok('init', '--register');
      const text = await config(place);
      for (const line of COMMENTED.split('\n').slice(0, 5)) expect(text).toContain(line);
      expect(text).toContain('\t"other": [1,2,   3]\n}\n');
      expect(text).toMatch(/\n\t\t"svc-memory": \{\n\t\t\t"command": /);
    },
    { files: { '.mcp.json': COMMENTED } },
  );
});

test('--register repairs an entry that cannot start, and keeps what else it holds', async () => {
  const dead = { command: '/gone/node', args: ['/gone/svc-memory-mcp.js'], env: { SVC_NAMESPACE: 'mine' } };
  await withCommandLine(
    async (place) => {
      expect(await place.ok('init', '--register')).toContain('Registered "svc-memory"');
      expect(JSON.parse(await config(place)).mcpServers['svc-memory']).toEqual({
        ...{ command: process.execPath, args: [SERVER_FILE], env: { SVC_NAMESPACE: 'mine' } },
        description: expect.any(String),
      });
    },
    { files: { '.mcp.json': JSON.stringify({ mcpServers: { 'svc-memory': dead } }) } },
  );
});

test('--register keeps a byte order mark and the line endings of the file', async () => {
  await withCommandLine(
    async (place) => {
      await place.ok('init', '--register');
      const text = await readFile(place.path('.mcp.json'), 'utf8');
      expect(text.startsWith('\ufeff{\r\n  "mcpServers": {\r\n')).toBe(true);
      expect(text.replaceAll('\r\n', '')).not.toContain('\n');
      expect(JSON.parse(text.slice(1)).mcpServers).toHaveProperty('svc-memory');
    },
    { files: { '.mcp.json': '\ufeff{\r\n  "mcpServers": {}\r\n}\r\n' } },
  );
});

test('--register writes through no link, and reads none that leads out, no pipe and no endless file', async () => {
  await withCommandLine(
    async (place) => {
      const theirs = join(place.home, 'theirs.json');
      await writeFile(theirs, '{}');
      for (const [target, sentence] of [
        [
          'real.json',
          /\.mcp\.json is a link to real\.json, and svc-memory never writes through links\. Replace the link/,
        ],
        ['nowhere.json', /\.mcp\.json is a link to nowhere\.json, and svc-memory never writes through links\./],
        [theirs, /\.mcp\.json leads out of the project, to .*theirs\.json\. It was not read\./],
        ['/dev/zero', /\.mcp\.json leads out of the project, to \/dev\/zero\. It was not read\./],
        [undefined, /\.mcp\.json is not a regular file\. It was not read\./],
      ] as const) {
        if (target === undefined) makePipe(place.path('.mcp.json'));
        else await symlink(target, place.path('.mcp.json'));
        const { status, err } = await place.run(['init', '--register'], BRIEFLY);
        expect([status, err]).toEqual([1, expect.stringMatching(sentence)]);
        await rm(place.path('.mcp.json'));
      }
      expect([await readFile(theirs, 'utf8'), await readFile(place.path('real.json'), 'utf8')]).toEqual(['{}', '{}']);
      expect((await readdir(place.folder)).sort()).toEqual(['.svc', 'real.json']);
    },
    { files: { 'real.json': '{}' } },
  );
});

test.each([
  ['{ "mcpServers": { "a": ', 'is not valid JSON (.* in line 1)'],
  ['{\n"mcpServers": {},\nnonsense\n}', 'is not valid JSON (.* in line 3)'],
  ['[]', 'is not a JSON object'],
  ['{"mcpServers": []}', 'has a "mcpServers" that is not an object'],
  ['{"mcpServers": {"a": "b"}}', 'has a server a that is not an object'],
])('--register refuses %j and leaves it untouched', async (text, how) => {
  await withCommandLine(
    async (place) => {
      const { status, err } = await place.run(['init', '--register']);
      expect(status).toBe(1);
      expect(err).toMatch(
        new RegExp(
          `^invalid_input: .*\\.mcp\\.json ${how.replaceAll('(', '\\(').replaceAll(')', '\\)')}\\. It was left untouched`,
        ),
      );
      expect(await config(place)).toBe(text);
    },
    { files: { '.mcp.json': text } },
  );
});

test('--json says whether the store was made, and what was registered', async () => {
  await withCommandLine(async ({ json, path }) => {
    const store = path('.svc', 'memory.db');
    expect(await json('init')).toEqual({ path: store, created: true, registered: null });
    const outcomes = async () => {
      const { created, registered } = await json<{
        created: boolean;
        registered: { path: string; servers: { outcome: string }[] };
      }>('init', '--register');
      expect([created, registered.path]).toEqual([false, path('.mcp.json')]);
      return registered.servers.map(({ outcome }) => outcome);
    };
    expect(await outcomes()).toEqual(['written', 'written']);
    expect(await outcomes()).toEqual(['kept', 'kept']);
  });
});
