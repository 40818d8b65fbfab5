// Test suites that need a command that npm cannot bring: they run where it is there and are named where it is not.
// @ts-check

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { has } from './setup.mjs';

/**
 * `command` may also be the absolute path of a file that the package brings; `suites` is a glob of test files.
 * @typedef {{ command: string, debianPackage: string, suites: string }} Need
 */

/** The tests in a real editor, in a real browser. */
export const WORKBENCH = 'test/workbench/**';

/** Of Debian: Playwright's own would have to be downloaded. All of Chromium, with its own pages, costs a third more to start. */
export const BROWSER = 'chromium-headless-shell';

/** What universal-ctags finds, compared with what we find: the sources of Go and Java come from packages. */
const CTAGS = 'test/graph/ctags.test.ts';

/** @type {readonly Need[]} */
export const NEEDS = [
  { command: 'ctags', debianPackage: 'universal-ctags', suites: CTAGS },
  { command: '/usr/share/gocode/src/golang.org/x/net', debianPackage: 'golang-golang-x-net-dev', suites: CTAGS },
  { command: '/usr/share/openjfx/lib/src.zip', debianPackage: 'openjfx-source', suites: CTAGS },
  { command: 'openssl', debianPackage: 'openssl', suites: 'test/team/engine-access.test.ts' },
  { command: BROWSER, debianPackage: BROWSER, suites: WORKBENCH },
  // The editor is compiled in part where it is installed (setup-workbench.mjs).
  { command: 'krb5-config', debianPackage: 'libkrb5-dev', suites: WORKBENCH },
  { command: 'pkg-config', debianPackage: 'pkg-config', suites: WORKBENCH },
];

/** @param {string} command */
function isInstalled(command) {
  // To see what a bare machine runs.
  if (process.env.TAKE_AS_MISSING === '1') return false;
  return command.startsWith('/') ? existsSync(command) : has(command);
}

/** Those whose command cannot be found. @param {readonly Need[]} needs @param {(command: string) => boolean} isThere */
export function missingNeeds(needs = NEEDS, isThere = isInstalled) {
  return needs.filter((need) => !isThere(need.command));
}

/** What a person has to type. @param {readonly Need[]} missing @returns {string} */
export function installLine(missing) {
  return `sudo apt-get install ${[...new Set(missing.map((need) => need.debianPackage))].join(' ')}`;
}

// Run by itself, for .ci/run: prints the Debian packages that are missing.
if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const need of missingNeeds()) process.stdout.write(`${need.debianPackage}\n`);
}
