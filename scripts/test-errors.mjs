// A reporter for vitest: how many errors happened outside of any test, which its JSON report does not tell.
// @ts-check
import { writeFileSync } from 'node:fs';

export default class {
  /** @param {unknown} _modules @param {readonly unknown[]} errors */
  onTestRunEnd(_modules, errors) {
    const { ERRORS_FILE } = process.env;
    if (ERRORS_FILE) writeFileSync(ERRORS_FILE, String(errors.length));
  }
}
