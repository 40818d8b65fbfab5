/** The main of `svc-memory-mcp`. */
import packageJson from '../../../package.json';
import { locateStore } from '../../store-place/locate';
import { INSTRUCTIONS } from '../mcp/instructions';
import { CAPABILITIES, memoryMethods } from '../mcp/memory-server';
import { serve } from '../mcp/serve';
import { openProject } from '../project/open';
import { MEMORY_TOOLS } from '../tools/registry';
import { runMcpProcess } from './mcp-process';
import { untilWritten } from './until-written';

/** `svc-memory-mcp`: the memory of the project around this process, for one MCP client on standard input and output. */
runMcpProcess('svc-memory-mcp', 'the memory', async ({ around, log, opening, holder, serving, transport }) => {
  const empty = untilWritten({ ...opening, holder: () => holder() });
  await serve(transport, {
    ...serving,
    name: 'svc-memory',
    title: 'Agent Memory',
    version: packageJson.version,
    instructions: INSTRUCTIONS,
    capabilities: CAPABILITIES,
    methods: (project) => memoryMethods(MEMORY_TOOLS, log, project),
    openProject: (clientRoots, client) =>
      openProject({
        ...opening,
        place: locateStore({ ...around, clientRoots }),
        holder: () => holder(client()),
      }),
    openStandIn: empty?.open,
  });
  await empty?.close();
});
