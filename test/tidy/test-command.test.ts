import { describe, expect, it } from 'vitest';
import { countTests } from '../../scripts/count-tests.mjs';
import { installLine, missingNeeds } from '../../scripts/needs.mjs';

const needs = [
  { command: 'chromium', debianPackage: 'chromium', suites: 'test/workbench/**' },
  { command: 'ctags', debianPackage: 'universal-ctags', suites: 'test/bench/ctags.test.ts' },
  { command: 'readtags', debianPackage: 'universal-ctags', suites: 'test/bench/tags.test.ts' },
];

describe('npm test', () => {
  it('knows the suites that cannot run here, and the one line that helps', () => {
    const missing = missingNeeds(needs, (command) => command === 'chromium');
    expect(missing.map((need) => need.suites)).toEqual(['test/bench/ctags.test.ts', 'test/bench/tags.test.ts']);
    expect(installLine(missing)).toBe('sudo apt-get install universal-ctags');
    expect(missingNeeds(needs, () => true)).toEqual([]);
  });

  it('looks for commands on the PATH', () => {
    const found = { command: 'node', debianPackage: 'nodejs', suites: 'a' };
    const lost = { command: 'no-such-command-anywhere', debianPackage: 'none', suites: 'b' };
    expect(missingNeeds([found, lost])).toEqual([lost]);
  });

  it('counts tests, and a file that could not be loaded as one failure', () => {
    const tests = [{ status: 'passed' }, { status: 'passed' }, { status: 'failed' }];
    expect(
      countTests({
        testResults: [
          { status: 'failed', assertionResults: tests },
          { status: 'failed', assertionResults: [] },
          { status: 'passed', assertionResults: [{ status: 'passed' }] },
        ],
      }),
    ).toEqual({ passed: 3, failed: 2 });
  });

  it('takes a report that is not there for a failure', () => {
    expect(countTests(undefined)).toEqual({ passed: 0, failed: 1 });
  });
});
