/** The main of `svc-mcp`. */
import { version } from '../../../package.json';
import { locateStore } from '../../store-place/locate';
import type { ServedFolder } from '../mcp/folders';
import { GRAPH_CAPABILITIES, GRAPH_INSTRUCTIONS } from '../mcp/graph-server';
import { serve } from '../mcp/serve';
import { offeredTools } from '../mcp/tool-list';
import { toolMethods } from '../mcp/tool-methods';
import { graphRoot } from '../project/graph-root';
import { newHostSocket } from '../project/host-sockets';
import { openProject } from '../project/open';
import { GRAPH_TOOLS } from '../tools/graph-registry';
import { runMcpProcess } from './mcp-process';
import type { FolderProcess } from './served-folders';
import { untilWritten } from './until-written';

/** `svc-mcp`: the code graph of the project around this process, for one MCP client on standard input and output. */
runMcpProcess('svc-mcp', 'the code graph', async ({ folders, choice, log, opening, holder, serving, transport }) => {
  const served = (folder: FolderProcess): ServedFolder => {
    const { name, around } = folder;
    const own = { ...opening(folder), graphRoot: graphRoot(around) };
    const empty = untilWritten(folder, { ...own, holder: () => holder() });
    return {
      name,
      path: around.cwd,
      openProject: (clientRoots, client) => {
        const withRoots = { ...around, clientRoots };
        return openProject({
          ...opening(folder),
          place: locateStore(withRoots),
          graphRoot: graphRoot(withRoots),
          holder: () => holder(client()),
        });
      },
      openStandIn: empty?.open,
      close: empty?.close,
    };
  };
  const offered = offeredTools(GRAPH_TOOLS, choice);
  const [{ around }] = folders;
  await serve(transport, {
    ...serving,
    name: 'svc',
    title: 'Code Graph',
    version,
    instructions: GRAPH_INSTRUCTIONS[choice],
    capabilities: GRAPH_CAPABILITIES,
    methods: (projects, client) => toolMethods(offered, log, projects, client).methods,
    folders: folders.map(served),
    hostSocket: async ({ graph }) => graph && newHostSocket(around.home, graph.root, process.pid),
  });
});
