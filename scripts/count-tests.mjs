// @ts-check

/**
 * Counts what vitest's JSON report tells. A file that could not be loaded has no tests, and counts as one failure; so
 * does a report that is not there.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
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
