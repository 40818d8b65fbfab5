// npm test [-- <filter>]: every test. Ends with the line "N passed, N failed". The tests in a real editor run where
// Chromium is, and the editor has been installed with "npm run setup:workbench". A few files that fail are run once more,
// alone: "Failed at first" names those that pass then.
// REQUIRE_ALL=1 makes a suite that cannot run on this machine a failure, and installs the package from the registry.
// @ts-check
import { HAS_ENGINE } from './engine-program.mjs';
import { installLine, missingNeeds, WORKBENCH } from './needs.mjs';
import { runTests } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { hasEditor } from './setup-workbench.mjs';
import { countTests } from './test-report.mjs';

await setUp();

const missing = missingNeeds();
const leftOut = new Set(missing.map((need) => need.suites));
if (!hasEditor()) leftOut.add(WORKBENCH);
const required = process.env.REQUIRE_ALL === '1';
const projects = ['tests', 'second-driver', 'engine', 'workbench', ...(required ? ['installations'] : [])];
const { status, report } = await runTests(projects, process.argv.slice(2), { LEFT_OUT: [...leftOut].join() });
const counts = countTests(report);

for (const need of missing) console.log(`Not run: ${need.suites}, which needs "${need.command}".`);
if (!hasEditor()) console.log(`Not run: ${WORKBENCH}, which needs the editor.`);
if (!HAS_ENGINE) console.log('Not run: the tests on an engine, which the packages have none of for this machine.');
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
