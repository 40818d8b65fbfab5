// npm test [-- <filter>]: every test. Ends with the line "N passed, N failed". The tests in a real editor run where
// Chromium is, and the editor has been installed with "npm run setup:workbench".
// REQUIRE_ALL=1 makes a suite that cannot run on this machine a failure.
// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests } from './count-tests.mjs';
import { installLine, missingNeeds, WORKBENCH } from './needs.mjs';
import { DEVELOPMENT_NODE, run, SYSTEM_NODE, setUp } from './setup.mjs';
import { hasEditor } from './setup-workbench.mjs';

await setUp();

const missing = missingNeeds();
const leftOut = new Set(missing.map((need) => need.suites));
if (!hasEditor()) leftOut.add(WORKBENCH);
const scratch = mkdtempSync(join(tmpdir(), 'svc-test-'));
const report = join(scratch, 'report.json');
const status = await run(
  DEVELOPMENT_NODE,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...[...leftOut].map((suites) => `--exclude=${suites}`),
    ...process.argv.slice(2),
  ],
  { SYSTEM_NODE },
);
const counts = countTests(readReport());
rmSync(scratch, { recursive: true, force: true });

const required = process.env.REQUIRE_ALL === '1';
for (const need of missing) console.log(`Not run: ${need.suites}, which needs "${need.command}".`);
if (!hasEditor()) console.log(`Not run: ${WORKBENCH}, which needs the editor.`);
const remedies = [
  ...(missing.length > 0 ? [installLine(missing)] : []),
  ...(hasEditor() ? [] : ['npm run setup:workbench']),
];
if (remedies.length > 0) console.log(`To run all of them: ${remedies.join(' && ')}`);
// An error outside of any test fails the run, too.
const failed = Math.max(counts.failed, status === 0 ? 0 : 1) + (required ? leftOut.size : 0);
console.log(`${counts.passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined; // vitest has said why on the terminal
  }
}
