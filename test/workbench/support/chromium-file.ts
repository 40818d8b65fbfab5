import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The system's Chromium: Playwright's own would have to be downloaded. */
export function chromiumFile(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, 'chromium');
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next one.
    }
  }
  throw new Error('There is no command "chromium": sudo apt-get install chromium');
}
