import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BROWSER } from '../../../scripts/needs.mjs';

/** @returns where it is, by PATH */
export function chromiumFile(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, BROWSER);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next one.
    }
  }
  throw new Error(`There is no command "${BROWSER}": sudo apt-get install ${BROWSER}`);
}
