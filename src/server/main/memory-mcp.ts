import packageJson from '../../../package.json';
import { FIXTURE_CAPABILITIES, withFixtures } from '../mcp/conformance-fixtures';
import { INSTRUCTIONS } from '../mcp/instructions';
import { CAPABILITIES, memoryMethods } from '../mcp/memory-server';
import { serve } from '../mcp/serve';
import { locateStore } from '../project/locate';
import { openProject } from '../project/open';
import { MEMORY_TOOLS } from '../tools/registry';
import {
  firstNamespace,
  keepCompiledCode,
  processHolder,
  processSurroundings,
  stderrLog,
  tokenizer,
  variable,
} from './process';
import { releaseMemoryWhenIdle } from './release-memory';
import { untilWritten } from './until-written';

const PROGRAM = 'svc-memory-mcp';

/** `svc-memory-mcp`: the memory of the project around this process, for one MCP client on standard input and output. */
async function main(): Promise<void> {
  const log = stderrLog(PROGRAM);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  keepCompiledCode();
  const testing = variable('SVC_TEST_FIXTURES') === '1';
  const opening = { namespace: firstNamespace(), tokenizer, assets: __dirname, log };
  const empty = untilWritten({ ...opening, holder: () => processHolder(PROGRAM) });
  await serve({
    name: 'svc-memory',
    title: 'Agent Memory',
    version: packageJson.version,
    instructions: INSTRUCTIONS,
    capabilities: testing ? { ...CAPABILITIES, ...FIXTURE_CAPABILITIES } : CAPABILITIES,
    methods: (project) => {
      const methods = memoryMethods(MEMORY_TOOLS, log, project);
      return testing ? withFixtures(methods) : methods;
    },
    openProject: (clientRoots, client) =>
      openProject({
        ...opening,
        place: locateStore({ ...processSurroundings(), clientRoots }),
        holder: () => processHolder(client()),
      }),
    openStandIn: empty?.open,
    input: process.stdin,
    output: process.stdout,
    stop: stop.signal,
    onRequest: releaseMemoryWhenIdle(),
    log,
  });
  await empty?.close();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    stderrLog(PROGRAM)(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  },
);
