import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { commandLineIn } from '../support/command-line';
import { connectServer, type Place, serverEnvironment, withPlace } from '../support/stdio-client';

const DIST = resolve(__dirname, '../../dist');
const WORDS =
  'unavailable: The folder that this program was started in no longer exists. Change to a folder that exists, and start the program again.\n';

/** Runs a program in a folder that the shell has deleted under itself. */
function runNowhere(place: Place, program: string, ...args: string[]) {
  const child = spawn('sh', ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, join(DIST, program), ...args], {
    cwd: place.folder,
    env: serverEnvironment(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((done) => child.on('close', (status) => done({ status, out, err })));
}

test.each([
  ['svc-memory.js', ['stats'], 1, ''],
  ['svc-memory.js', ['store', 'x', '--kind', 'fact'], 1, ''],
  // 1 would mean that memories need a look.
  ['svc-memory.js', ['check'], 2, ''],
  ['svc-memory.js', ['doctor'], 1, ''],
  ['svc-memory.js', ['init'], 1, ''],
  ['svc.js', ['build'], 1, ''],
  ['svc.js', ['ingest', '.', '--llm', 'none'], 1, ''],
  ['svc-memory-mcp.js', [], 1, 'svc-memory-mcp: '],
  ['svc-mcp.js', [], 1, 'svc-mcp: '],
  ['svc-language-server.js', [], 1, 'svc-language-server: '],
])('%s %j says that its working folder was deleted, and ends with %d', (program, args, status, name) =>
  withPlace({}, async (place) => {
    expect(await runNowhere(place, program, ...args)).toEqual({ status, out: '', err: name + WORDS });
  }),
);

test('help needs no working folder', () =>
  withPlace({}, async (place) => {
    expect(await runNowhere(place, 'svc-memory.js', '--version')).toMatchObject({ status: 0, err: '' });
  }));

test.each(['svc-memory-mcp.js', 'svc-mcp.js'])('a %s whose folder is deleted later lives on and answers', (program) =>
  withPlace({}, async (place) => {
    const server = await connectServer(place, { server: join(DIST, program) });
    try {
      await rm(place.folder, { recursive: true });
      const isMemory = program === 'svc-memory-mcp.js';
      if (isMemory) expect(await server.text('memory_store', { content: 'At home', kind: 'fact' })).toContain('f_');
      const answer = isMemory
        ? await server.text('memory_recall', { query: 'home' })
        : await server.refusal('graph_status');
      expect(answer).toMatch(isMemory ? /— At home/ : /^unavailable: /);
      expect(server.log()).not.toMatch(/\n +at /);
    } finally {
      await server.close();
    }
  }),
);

test.each([
  // As a host of plugins starts a server: in the plugin's folder, with its own environment.
  ['PLUGIN_ROOT', 'project'],
  // Another program's variable says nothing.
  ['OTHER_ROOT', 'home directory'],
])('with %s naming its folder a server works in the %s', (name) =>
  withPlace({ files: { 'plugin/plugin.json': '{}' } }, async (place) => {
    const project = join(place.folder, 'project');
    await mkdir(join(project, '.git'), { recursive: true });
    await commandLineIn({ ...place, folder: project }).ok('init');
    const plugin = join(place.folder, 'plugin');
    const env = { [name]: plugin, PWD: project };
    const server = await connectServer({ ...place, folder: plugin }, { env });
    try {
      await server.text('memory_store', { content: 'Where am I', kind: 'fact' });
      const ours = await commandLineIn({ ...place, folder: project }).ok('stats', '--json');
      expect(JSON.parse(ours)).toMatchObject({ kind_counts: { fact: name === 'PLUGIN_ROOT' ? 1 : 0 } });
    } finally {
      await server.close();
    }
  }),
);
