// npm run test:long: what takes too long for every change, before a release. Installs the tarball in nine ways, most of
// which compile SQLite, runs the tests of the server once more on Node's own SQLite,
// those of the tools on a libSQL server, passes the gate of a team's server on it, and loads a window of the editor
// again 50 times, where the editor is installed. About 50 minutes. A few files that fail are run once more, alone, as by
// "npm test".
// @ts-check
import { runTests } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { hasEditor } from './setup-workbench.mjs';

await setUp();

/** What opens a store. */
const ON_A_STORE = ['tools', 'stdio', 'cli', 'lsp', 'graph', 'ingest', 'unit'].map((folder) => `test/${folder}/`);

/** Of each operation, in test/cli/killed.test.ts. */
const KILLS = process.env.KILLS ?? '8';
/** Random histories, in test/graph/path-independence.test.ts. */
const SEQUENCES = process.env.SEQUENCES ?? '500';
/** Of one window, in test/workbench/language-server.test.ts. */
const RELOADS = process.env.RELOADS ?? '50';

const runs = [
  await runTests(['tests'], ON_A_STORE, { SVC_SQLITE: 'node', LONG: '1', KILLS, SEQUENCES }),
  await runTests(['engine'], [], { LONG: '1' }),
  await runTests(['long'], [], {}),
];
if (hasEditor()) {
  runs.push(await runTests(['workbench'], ['test/workbench/language-server.test.ts'], { RELOADS }));
} else {
  console.log('Not run: the reloads of a window, which need the editor: npm run setup:workbench');
}
const failed = runs.filter(({ status }) => status !== 0).length;
console.log(failed === 0 ? 'All of it passed.' : `${failed} of ${runs.length} runs failed; see above.`);
process.exit(failed === 0 ? 0 : 1);
