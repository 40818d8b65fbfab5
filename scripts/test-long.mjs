// npm run test:long: what takes too long for every change, before a release. Installs the tarball in nine ways, most of
// which compile SQLite, runs the tests of the server once more on Node's own SQLite, and loads a window of the editor
// again 50 times, where the editor is installed. About 50 minutes.
// @ts-check
import { DEVELOPMENT_NODE, run, SYSTEM_NODE, setUp } from './setup.mjs';
import { hasEditor } from './setup-workbench.mjs';

await setUp();

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
/** What opens a store. */
const ON_A_STORE = ['tools', 'stdio', 'cli', 'lsp', 'graph', 'ingest', 'unit'].map((folder) => `test/${folder}/`);

/** Of each operation, in test/cli/killed.test.ts. */
const KILLS = process.env.KILLS ?? '8';
/** Of one window, in test/workbench/language-server.test.ts. */
const RELOADS = process.env.RELOADS ?? '50';

const statuses = [
  await run(DEVELOPMENT_NODE, [...VITEST, '--project=tests', ...ON_A_STORE], {
    SYSTEM_NODE,
    SVC_SQLITE: 'node',
    LONG: '1',
    KILLS,
  }),
  await run(DEVELOPMENT_NODE, [...VITEST, '--project=long'], { SYSTEM_NODE }),
];
if (hasEditor()) {
  const reloads = [...VITEST, '--project=workbench', 'test/workbench/language-server.test.ts'];
  statuses.push(await run(DEVELOPMENT_NODE, reloads, { SYSTEM_NODE, RELOADS }));
} else {
  console.log('Not run: the reloads of a window, which need the editor: npm run setup:workbench');
}
const failed = statuses.filter((status) => status !== 0).length;
console.log(failed === 0 ? 'All of it passed.' : `${failed} of ${statuses.length} runs failed; see above.`);
process.exit(failed === 0 ? 0 : 1);
