// npm start [-- <folder>]: the main job on a real store in a project folder, this one when none is given.
// @ts-check
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEVELOPMENT_NODE, ROOT, run, SYSTEM_NODE, setUp, stop } from './setup.mjs';

// npm runs this in the project's folder; the caller's own folder is in INIT_CWD.
const folder = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? ROOT);
if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  stop(`${folder} is no folder. Give the folder of a project: npm start -- <folder>`);
}
await setUp();
process.exit(await run(DEVELOPMENT_NODE, ['scripts/demo/working-day.mts', folder], { SVC_DEMO_NODE: SYSTEM_NODE }));
