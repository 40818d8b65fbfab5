import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Of the system: Playwright's own would have to be downloaded. */
const COMMAND = 'chromium-headless-shell';

export function chromiumFile(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, COMMAND);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next one.
    }
  }
  throw new Error(`There is no command "${COMMAND}": sudo apt-get install ${COMMAND}`);
}
