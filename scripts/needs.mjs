// Test suites that need a command that npm cannot bring: they run where it is there and are named where it is not.
// @ts-check

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { has } from './setup.mjs';

/** @typedef {{ command: string, debianPackage: string, suites: string }} Need `suites` is a glob of test files */

/** @type {readonly Need[]} */
export const NEEDS = [];

/** Those whose command cannot be found. @param {readonly Need[]} needs @param {(command: string) => boolean} isThere */
export function missingNeeds(needs = NEEDS, isThere = has) {
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
