/** The main of `svc-mcp`. */
import packageJson from '../../../package.json';
import { locateStore } from '../../store-place/locate';
import { GRAPH_CAPABILITIES, GRAPH_INSTRUCTIONS } from '../mcp/graph-server';
import { serve } from '../mcp/serve';
import { toolMethods } from '../mcp/tool-methods';
import { graphRoot } from '../project/graph-root';
import { newHostSocket } from '../project/host-sockets';
import { openProject } from '../project/open';
import { GRAPH_TOOLS } from '../tools/graph-registry';
import { runMcpProcess } from './mcp-process';
import { untilWritten } from './until-written';

/** `svc-mcp`: the code graph of the project around this process, for one MCP client on standard input and output. */
runMcpProcess('svc-mcp', 'the code graph', async ({ around, log, opening, holder, serving, transport }) => {
  const empty = untilWritten({ ...opening, graphRoot: graphRoot(around), holder: () => holder() });
  await serve(transport, {
    ...serving,
    name: 'svc',
    title: 'Code Graph',
    version: packageJson.version,
    instructions: GRAPH_INSTRUCTIONS,
    capabilities: GRAPH_CAPABILITIES,
    methods: (project, client) => toolMethods(GRAPH_TOOLS, log, project, client).methods,
    openProject: (clientRoots, client) => {
      const withRoots = { ...around, clientRoots };
      return openProject({
        ...opening,
        place: locateStore(withRoots),
        graphRoot: graphRoot(withRoots),
        holder: () => holder(client()),
      });
    },
    openStandIn: empty?.open,
    hostSocket: async ({ graph }) => graph && newHostSocket(around.home, graph.root, process.pid),
  });
  await empty?.close();
});
