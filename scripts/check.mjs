// npm run check: types, lint and format, import rules, dead code; side by side, each with its time. It installs what is
// missing, so it cannot stand on a package that runs commands side by side.
// @ts-check
import { spawn } from 'node:child_process';
import { DEVELOPMENT_NODE, installMissing, ROOT } from './setup.mjs';

const PRETTY = process.stdout.isTTY ? ['--pretty'] : [];

/** Pages have other globals than programs have, so each is checked with its own. */
const types = (/** @type {string} */ project) => [
  'node_modules/typescript/bin/tsc',
  '--noEmit',
  ...PRETTY,
  '-p',
  project,
];

const CHECKS = [
  { name: 'types', args: types('.') },
  { name: 'types of the webviews', args: types('tsconfig.webview.json') },
  { name: 'types of the workbench tests', args: types('tsconfig.workbench.json') },
  {
    name: 'lint and format',
    args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--colors=off', '.'],
    remedy: '"npm run format" repairs most of it.',
  },
  {
    name: 'import rules',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err-long',
      'src',
    ],
  },
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
];

await installMissing();
const results = await Promise.all(CHECKS.map(check));
process.exit(results.every(Boolean) ? 0 : 1);

/** @param {{ name: string, args: string[], remedy?: string }} check @returns {Promise<boolean>} */
function check({ name, args, remedy }) {
  return new Promise((done) => {
    const start = performance.now();
    const child = spawn(DEVELOPMENT_NODE, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (status) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      if (status !== 0) console.log(`${output.trimEnd()}\n${remedy ?? ''}\n`);
      done(status === 0);
    });
  });
}
