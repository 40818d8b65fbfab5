import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LONGEST } from '../../scripts/longest-first.mjs';
import { installLine, missingNeeds, NEEDS } from '../../scripts/needs.mjs';
import { countTests, fewThatFailed, optionsIn, withSecondRun } from '../../scripts/test-report.mjs';
import { ROOT } from './project-files';

const needs = [
  { command: 'chromium', debianPackage: 'chromium', suites: 'test/workbench/**' },
  { command: 'ctags', debianPackage: 'universal-ctags', suites: 'test/bench/ctags.test.ts' },
  { command: 'readtags', debianPackage: 'universal-ctags', suites: 'test/bench/tags.test.ts' },
];

describe('npm test', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('knows the suites that cannot run here, and the one line that helps', () => {
    const missing = missingNeeds(needs, (command) => command === 'chromium');
    expect(missing.map((need) => need.suites)).toEqual(['test/bench/ctags.test.ts', 'test/bench/tags.test.ts']);
    expect(installLine(missing)).toBe('sudo apt-get install universal-ctags');
    expect(missingNeeds(needs, () => true)).toEqual([]);
  });

  it('leaves out and names what a bare machine cannot run, and fails by it only where everything is required', () => {
    const run = (REQUIRE_ALL: string) =>
      spawnSync(
        process.execPath,
        ['scripts/test.mjs', 'test/graph/ctags', 'test/workbench/proof', 'test/unit/base/ids'],
        {
          cwd: ROOT,
          encoding: 'utf8',
          env: { ...process.env, TAKE_AS_MISSING: '1', REQUIRE_ALL },
        },
      );
    const bare = run('');
    expect(bare.stdout).not.toMatch(/(?:ctags|proof)\.test\.ts.*\(\d+ tests?/);
    for (const { command, suites } of NEEDS) {
      expect(bare.stdout).toContain(`Not run: ${suites}, which needs "${command}".`);
    }
    expect(bare.stdout).toContain(`To run all of them: ${installLine([...NEEDS])}`);
    expect(bare.stdout).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
    expect(bare.status).toBe(0);
    const suites = new Set(NEEDS.map((need) => need.suites));
    expect(run('1').stdout.split('\n').at(-2)).toMatch(new RegExp(`^[1-9]\\d* passed, ${suites.size} failed$`));
  });

  it('is what vitest names when it is started on an older Node itself', () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`;
    const args = ['--import', `data:text/javascript,${older}`, 'node_modules/vitest/vitest.mjs', 'run', 'base/ids'];
    const { stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect(stderr).toMatch(
      /^\nThe tests need Node \d+, and this is Node 20\.1\.0: run "npm test -- <filter>"[^\n]*\n$/,
    );
    expect(status).toBe(1);
  });

  it('starts first what takes longest, by names that there are', () => {
    expect(LONGEST.filter((name, i) => !existsSync(join(ROOT, name)) || LONGEST.indexOf(name) !== i)).toEqual([]);
  });

  it('looks for commands on the PATH', () => {
    // It is set where somebody looks at what a bare machine runs.
    vi.stubEnv('TAKE_AS_MISSING', undefined);
    const found = { command: 'node', debianPackage: 'nodejs', suites: 'a' };
    const lost = { command: 'no-such-command-anywhere', debianPackage: 'none', suites: 'b' };
    expect(missingNeeds([found, lost])).toEqual([lost]);
  });

  it('counts tests, and a file that could not be loaded as one failure', () => {
    const tests = [{ status: 'passed' }, { status: 'passed' }, { status: 'failed' }];
    expect(
      countTests({
        testResults: [
          { name: 'a', status: 'failed', assertionResults: tests },
          { name: 'b', status: 'failed', assertionResults: [] },
          { name: 'c', status: 'passed', assertionResults: [{ status: 'passed' }] },
        ],
      }),
    ).toEqual({ passed: 3, failed: 2 });
  });

  it('takes a report that is not there for a failure', () => {
    expect(countTests(undefined)).toEqual({ passed: 0, failed: 1 });
  });

  describe('where a few files fail', () => {
    const result = (name: string, status: string) => ({ name, status, assertionResults: [{ status }] });
    const failedOnce = result('/p/test/workbench/a.test.ts', 'failed');
    const passed = result('/p/test/workbench/b.test.ts', 'passed');

    it('runs them once more, and counts what that gave', () => {
      const first = { testResults: [failedOnce, passed] };
      expect(fewThatFailed(first)).toEqual([failedOnce.name]);
      const passes = { testResults: [result(failedOnce.name, 'passed')] };
      expect(countTests(withSecondRun(first, passes))).toEqual({ passed: 2, failed: 0 });
      expect(countTests(withSecondRun(first, { testResults: [failedOnce] }))).toEqual({ passed: 1, failed: 1 });
      expect(countTests(withSecondRun(first, undefined))).toEqual({ passed: 0, failed: 1 });
    });

    it('keeps to the tests that were asked for', () => {
      expect(optionsIn(['test/workbench/a', '-t', 'opens', '--bail=1'])).toEqual(['-t', 'opens', '--bail=1']);
    });

    it('names a file once that two projects run', () => {
      expect(fewThatFailed({ testResults: [failedOnce, failedOnce, passed] })).toEqual([failedOnce.name]);
    });

    it('does not where many do', () => {
      const many = Array.from({ length: 6 }, (_, i) => result(`/p/test/tools/${i}.test.ts`, 'failed'));
      expect(fewThatFailed({ testResults: many })).toEqual([]);
      expect(fewThatFailed(undefined)).toEqual([]);
    });
  });
});
