// What only the driver on Node's own SQLite does, in processes of their own.
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeFolder } from '../../support/remove-folder';

const DB = resolve(__dirname, '../../../src/server/db');
const ENDLESS = 'WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r';
const SETTING = `
  import { Connection } from './driver';
  import { wantDriver } from './drivers';
  wantDriver('node');
  const owner = {};
  async function open(owner) {
    const connection = await Connection.open(':memory:', 'create');
    const endless = connection.all(${JSON.stringify(ENDLESS)}, {}, owner);
    setTimeout(() => connection.interrupt(owner), 100);
    await endless.catch((error) => console.log(error.message.slice(0, 11)));
    return connection;
  }`;

/** One that does not end by itself is ended, and seen by its signal. */
const PATIENCE_MS = 90_000;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-driver-node-'));
});
afterAll(() => removeFolder(folder));

/** Runs a script that may use `db/`, and tells how it ended. */
async function run(name: string, script: string): Promise<{ ended: number | string; out: string; err: string }> {
  const file = join(folder, `${name}.cjs`);
  await build({
    stdin: { contents: `${SETTING}\n(async () => {${script}})();`, resolveDir: DB, loader: 'ts' },
    outfile: file,
    bundle: true,
    minify: true,
    platform: 'node',
    external: ['@vscode/sqlite3'],
  });
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((done) =>
    child.on('close', (status, signal) => done({ ended: signal ?? status ?? -1, out, err })),
  );
}

it.each([
  ['exits', 'await open(owner); process.exit(3);'],
  ['has nothing more to do', 'await open(owner);'],
  ['closes what it opened', 'await (await open(owner)).close();'],
  ['has a connection without an owner', 'await open(undefined);'],
])('a process that %s ends, though a statement never does', async (name, script) => {
  expect(await run(name, script)).toEqual({ ended: 'SIGKILL', out: 'unavailable\n', err: '' });
});

it('no more threads than a few are left to statements that never end', async () => {
  const { ended, out } = await run(
    'many',
    `for (let i = 0; i < 4; i++) await open(owner);
     const waiting = open(owner);
     await new Promise((resolve) => setTimeout(resolve, 400));
     console.log('still', await Promise.race([waiting, 'waiting']));
     process.exit();`,
  );
  expect({ ended, out }).toEqual({ ended: 'SIGKILL', out: `${'unavailable\n'.repeat(4)}still waiting\n` });
});

it('an idle connection keeps no process from ending, and warns of nothing', async () => {
  const script = `
    const connection = await Connection.open(':memory:', 'create');
    console.log((await connection.get('SELECT 1 AS n')).n);`;
  expect(await run('idle', script)).toEqual({ ended: 0, out: '1\n', err: '' });
});
