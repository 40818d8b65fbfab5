// Runs tests, and a few files that fail once more, alone: "Failed at first" names those that pass then.
// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVELOPMENT_NODE, run, SYSTEM_NODE } from './setup.mjs';
import { fewThatFailed, optionsIn, withSecondRun } from './test-report.mjs';

/**
 * @param {readonly string[]} projects
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 */
export async function runTests(projects, args, env) {
  const first = await runOnce(projects, args, env);
  // An error outside of any test is nothing that another run may hide.
  const again = first.errors === 0 ? fewThatFailed(first.report) : [];
  if (again.length === 0) return first;
  console.log(`\nFailed, and run once more, alone: ${again.join(', ')}`);
  const second = await runOnce(projects, ['--no-file-parallelism', '--retry=0', ...optionsIn(args), ...again], env);
  const passed = again.filter((file) => !fewThatFailed(second.report).includes(file));
  if (second.report && passed.length > 0) console.log(`Failed at first, and passed alone: ${passed.join(', ')}`);
  return { status: second.status, report: withSecondRun(first.report, second.report) };
}

/**
 * @param {readonly string[]} projects
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 */
async function runOnce(projects, args, env) {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-test-'));
  const file = join(scratch, 'report.json');
  const status = await run(
    DEVELOPMENT_NODE,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      '--reporter=./scripts/test-errors.mjs',
      `--outputFile.json=${file}`,
      ...projects.map((project) => `--project=${project}`),
      ...args,
    ],
    { SYSTEM_NODE, ...env, ERRORS_FILE: join(scratch, 'errors') },
  );
  const report = readJson(file);
  const errors = /** @type {number | undefined} */ (readJson(join(scratch, 'errors')));
  rmSync(scratch, { recursive: true, force: true });
  return { status, report: /** @type {import('./test-report.mjs').Report | undefined} */ (report), errors };
}

/** @param {string} file @returns {unknown} */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // vitest has said why on the terminal
  }
}
