// What vitest's JSON report tells. Its own count of failures leaves out a file that could not be loaded.
// @ts-check

/**
 * `name` is the absolute path of a test file.
 * @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{ testResults: TestFile[] }} Report
 */

/** More files than these do not fail because the machine was busy. */
const MOST_AGAIN = 5;

/**
 * A file that could not be loaded has no tests, and counts as one failure; so does a report that is not there.
 * @param {Report | undefined} report
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(report) {
  if (!report) return { passed: 0, failed: 1 };
  let passed = 0;
  let failed = 0;
  for (const file of report.testResults) {
    const failures = file.assertionResults.filter((test) => test.status === 'failed').length;
    passed += file.assertionResults.filter((test) => test.status === 'passed').length;
    failed += failures === 0 && file.status === 'failed' ? 1 : failures;
  }
  return { passed, failed };
}

/**
 * The files that failed, when they are few: a busy machine can upset a test that runs beside others. None otherwise: there
 * is something to mend anyhow.
 * @param {Report | undefined} report
 */
export function fewThatFailed(report) {
  const failed = (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
  // A file that two projects run is there twice.
  const files = [...new Set(failed)];
  return files.length <= MOST_AGAIN ? files : [];
}

/**
 * The files of the first run, those that were run again as they ended then.
 * @param {Report | undefined} first
 * @param {Report | undefined} second
 * @returns {Report | undefined}
 */
export function withSecondRun(first, second) {
  if (!first || !second) return undefined;
  const again = new Set(second.testResults.map(({ name }) => name));
  return { testResults: [...first.testResults.filter(({ name }) => !again.has(name)), ...second.testResults] };
}

/**
 * What of the arguments is no file: `-t <name>` counts in another run, too.
 * @param {readonly string[]} args
 */
export function optionsIn(args) {
  return args.filter((arg, i) => arg.startsWith('-') || ['-t', '--testNamePattern'].includes(args[i - 1] ?? ''));
}
