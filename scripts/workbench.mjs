// npm run workbench [-- <folder>]: an editor with the extension, in your browser; on a demonstration project when no
// folder is given. Its settings and what it remembers stay in node_modules/.cache/try between starts.
// @ts-check
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { binaryTarget } from './binary-target.mjs';
import { packageExtension } from './package.mjs';
import { DEVELOPMENT_NODE, ROOT, run, setUp, stop } from './setup.mjs';
import { EDITOR_ENTRY, EDITOR_ENVIRONMENT, EDITOR_FLAGS, EDITOR_NODE, setUpWorkbench } from './setup-workbench.mjs';

const HOME = join(ROOT, 'node_modules', '.cache', 'try');
/** Sources to remember something about. */
const SAMPLE = ['src', 'docs', 'README.md', 'ARCHITECTURE.md', 'package.json'];

const given = process.argv[2];
const folder = given === undefined ? join(HOME, 'project') : resolve(process.env.INIT_CWD ?? process.cwd(), given);
if (given !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  stop(`${folder} is no folder. Give the folder of a project: npm run workbench -- <folder>`);
}
await setUp();
await setUpWorkbench();
if (given === undefined && !existsSync(folder)) await makeDemonstration();

const place = ['--user-data-dir', join(HOME, 'data'), '--extensions-dir', join(HOME, 'extensions')];
const target = binaryTarget(join(ROOT, 'dist', 'vscode-sqlite3.node'));
const vsix = await packageExtension(target ?? 'this platform', join(HOME, 'svc-memory.vsix'));
const installed = await run(EDITOR_NODE, [EDITOR_ENTRY, ...place, '--install-extension', vsix], EDITOR_ENVIRONMENT);
if (installed !== 0) stop('The editor did not install the extension; the lines above tell why.');

const port = await freePort();
console.log(
  `\nOpen this in a browser, and end it here with Ctrl-C:\n\n  http://127.0.0.1:${port}/?folder=${encodeURI(folder)}\n`,
);
const args = [EDITOR_ENTRY, ...EDITOR_FLAGS, '--bind-addr', `127.0.0.1:${port}`, ...place];
const editor = spawn(EDITOR_NODE, [...args, '--config', join(HOME, 'config.yaml')], {
  env: { ...process.env, ...EDITOR_ENVIRONMENT },
  stdio: 'inherit',
});
// Whatever ends this ends the editor, which then ends what it has started.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => editor.kill('SIGTERM'));
}
editor.on('exit', (status) => process.exit(status ?? 0));

/** This project's own sources, with the memories that "npm start" stores. */
async function makeDemonstration() {
  mkdirSync(folder, { recursive: true });
  for (const name of SAMPLE) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  writeFileSync(join(HOME, 'config.yaml'), '');
  const status = await run(DEVELOPMENT_NODE, ['scripts/demo/working-day.mts', folder], {
    SVC_DEMO_NODE: process.execPath,
  });
  if (status !== 0) stop('The demonstration project could not be made; the lines above tell why.');
  await run(DEVELOPMENT_NODE, [join(ROOT, 'dist', 'svc.js'), 'build', folder]);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? done(address.port) : fail(new Error('no port'))));
    });
  });
}
