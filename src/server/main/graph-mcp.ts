import packageJson from '../../../package.json';
import { GRAPH_CAPABILITIES, GRAPH_INSTRUCTIONS } from '../mcp/graph-server';
import { serve } from '../mcp/serve';
import { toolMethods } from '../mcp/tool-methods';
import { graphRoot } from '../project/graph-root';
import { newHostSocket } from '../project/host-sockets';
import { locateStore } from '../project/locate';
import { openProject } from '../project/open';
import { GRAPH_TOOLS } from '../tools/graph-registry';
import { firstNamespace, keepCompiledCode, processHolder, processSurroundings, stderrLog, tokenizer } from './process';
import { releaseMemoryWhenIdle } from './release-memory';
import { untilWritten } from './until-written';

const PROGRAM = 'svc-mcp';

/** `svc-mcp`: the code graph of the project around this process, for one MCP client on standard input and output. */
async function main(): Promise<void> {
  const log = stderrLog(PROGRAM);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  keepCompiledCode();
  const opening = { namespace: firstNamespace(), tokenizer, assets: __dirname, log };
  const root = graphRoot(processSurroundings());
  const empty = untilWritten({ ...opening, graphRoot: root, holder: () => processHolder(PROGRAM) });
  await serve({
    name: 'svc',
    title: 'Code Graph',
    version: packageJson.version,
    instructions: GRAPH_INSTRUCTIONS,
    capabilities: GRAPH_CAPABILITIES,
    methods: (project) => toolMethods(GRAPH_TOOLS, log, project).methods,
    openProject: (clientRoots, client) => {
      const around = { ...processSurroundings(), clientRoots };
      return openProject({
        ...opening,
        place: locateStore(around),
        graphRoot: graphRoot(around),
        holder: () => processHolder(client()),
      });
    },
    openStandIn: empty?.open,
    hostSocket: async ({ graph }) => graph && newHostSocket(processSurroundings().home, graph.root, process.pid),
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
    process.stderr.write(`svc-mcp: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
