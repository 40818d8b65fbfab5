// npm run screenshots: runs the workbench tests, and keeps the pictures that README.md shows in media/screenshots.
// Look at them before they are committed.
// @ts-check
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEVELOPMENT_NODE, ROOT, run, setUp, stop } from './setup.mjs';
import { setUpWorkbench } from './setup-workbench.mjs';

const TAKEN = join(ROOT, 'node_modules', '.cache', 'screenshots');
const KEPT = join(ROOT, 'media', 'screenshots');

await setUp();
await setUpWorkbench();
const status = await run(DEVELOPMENT_NODE, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'workbench']);
if (status !== 0) stop('The pictures were not kept, because a test failed.');
rmSync(KEPT, { recursive: true, force: true });
mkdirSync(KEPT, { recursive: true });
const shown = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/\]\(media\/screenshots\/([\w-]+\.png)\)/g);
for (const [, name = ''] of shown) copyFileSync(join(TAKEN, name), join(KEPT, name));
