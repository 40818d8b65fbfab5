// npm test [-- <filter>]: every test. Ends with the line "N passed, N failed". The tests in a real editor run where
// Chromium is, and the editor has been installed with "npm run setup:workbench". A few files that fail are run once more,
// alone: "Failed at first" names those that pass then.
// REQUIRE_ALL=1 makes a suite that cannot run on this machine a failure, and installs the package from the registry.
// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installLine, missingNeeds, WORKBENCH } from './needs.mjs';
import { DEVELOPMENT_NODE, run, SYSTEM_NODE, setUp } from './setup.mjs';
import { hasEditor } from './setup-workbench.mjs';
import { countTests, fewThatFailed, optionsIn, withSecondRun } from './test-report.mjs';

await setUp();

const missing = missingNeeds();
const leftOut = new Set(missing.map((need) => need.suites));
if (!hasEditor()) leftOut.add(WORKBENCH);
const required = process.env.REQUIRE_ALL === '1';
const projects = ['tests', 'second-driver', 'workbench', ...(required ? ['installations'] : [])];
const args = process.argv.slice(2);
let { status, report, errors } = await runTests(projects, args);
// An error outside of any test is nothing that another run may hide.
const again = errors === 0 ? fewThatFailed(report) : [];
if (again.length > 0) {
  console.log(`\nFailed, and run once more, alone: ${again.join(', ')}`);
  const second = await runTests(projects, ['--no-file-parallelism', '--retry=0', ...optionsIn(args), ...again]);
  report = withSecondRun(report, second.report);
  status = second.status;
  const passed = again.filter((file) => !fewThatFailed(second.report).includes(file));
  if (second.report && passed.length > 0) console.log(`Failed at first, and passed alone: ${passed.join(', ')}`);
}
const counts = countTests(report);

for (const need of missing) console.log(`Not run: ${need.suites}, which needs "${need.command}".`);
if (!hasEditor()) console.log(`Not run: ${WORKBENCH}, which needs the editor.`);
if (!required) console.log('Not run: test/installations/**, which needs the registry: REQUIRE_ALL=1 runs it, too.');
const remedies = [
  ...(missing.length > 0 ? [installLine(missing)] : []),
  ...(hasEditor() ? [] : ['npm run setup:workbench']),
];
if (remedies.length > 0) console.log(`To run all of them: ${remedies.join(' && ')}`);
// An error outside of any test fails the run, too.
const failed = Math.max(counts.failed, status === 0 ? 0 : 1) + (required ? leftOut.size : 0);
console.log(`${counts.passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** @param {readonly string[]} projects @param {readonly string[]} args */
async function runTests(projects, args) {
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
    { SYSTEM_NODE, LEFT_OUT: [...leftOut].join(), ERRORS_FILE: join(scratch, 'errors') },
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
