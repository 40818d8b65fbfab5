// npm start [-- <folder>]: the main job on a real store in a project folder, this one when none is given. One that is not
// there is made.
// @ts-check
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DEVELOPMENT_NODE, ROOT, run, SYSTEM_NODE, setUp, stop } from './setup.mjs';

// npm runs this in the project's folder; the caller's own folder is in INIT_CWD.
const folder = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? ROOT);
const found = statSync(folder, { throwIfNoEntry: false });
if (found && !found.isDirectory()) {
  stop(`${folder} is no folder. Give the folder of a project, or one that is to be made: npm start -- <folder>`);
}
await setUp();
if (!found) {
  try {
    // One by one: mkdir's own `recursive` never ends below /proc.
    const missing = [];
    for (let each = folder; !existsSync(each); each = dirname(each)) missing.unshift(each);
    for (const each of missing) mkdirSync(each);
  } catch (error) {
    stop(`${folder} cannot be made: ${error instanceof Error ? error.message : error}`);
  }
  process.stderr.write(`Made the folder ${folder}\n`);
}
process.exit(await run(DEVELOPMENT_NODE, ['scripts/demo/working-day.mts', folder], { SVC_DEMO_NODE: SYSTEM_NODE }));
