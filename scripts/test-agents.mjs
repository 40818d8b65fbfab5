// npm run test:agents [-t <name>]: installs the agents of others that npm has, in versions that are known to start without
// a network, and drives each through a working day with a scripted model on loopback. Five to ten minutes. What it
// measured is kept in test/bench/data/agents.json, from which docs/benchmarks.md has its table.
// @ts-check
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVELOPMENT_NODE, ROOT, run, SYSTEM_NODE, setUp } from './setup.mjs';

/** Ignored by Git, and by everything that looks for sources. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'agents');
const WANTED = join(ROOT, 'test', 'agents', 'programs.json');

await setUp();
await install();
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=agents', ...process.argv.slice(2)];
process.exit(await run(DEVELOPMENT_NODE, vitest, { SYSTEM_NODE }));

/** Without scripts of installation: the programs are packages of their own, and nothing else is downloaded. */
async function install() {
  const wanted = readFileSync(WANTED, 'utf8');
  const file = join(FOLDER, 'package.json');
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted && existsSync(join(FOLDER, 'node_modules'))) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, wanted);
  const args = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--prefix', FOLDER];
  const status = await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {});
  if (status !== 0) process.exit(status);
}
