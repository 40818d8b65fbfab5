/** The main of `svc-memory-mcp`. */
import packageJson from '../../../package.json';
import { locateStore } from '../../store-place/locate';
import { INSTRUCTIONS } from '../mcp/instructions';
import { CAPABILITIES, memoryMethods } from '../mcp/memory-server';
import { serve } from '../mcp/serve';
import { warmUp } from '../mcp/warm-up';
import { readKeeping } from '../project/keeping';
import { openProject } from '../project/open';
import { MEMORY_TOOLS } from '../tools/registry';
import { runMcpProcess } from './mcp-process';
import { keepSetting } from './process';
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
    methods: (project, client) => memoryMethods(MEMORY_TOOLS, log, project, client),
    openProject: (clientRoots, client) => {
      const place = locateStore({ ...around, clientRoots });
      const keeping = readKeeping({ place, home: around.home, setting: keepSetting(), log });
      return openProject({ ...opening, place, keeping, holder: () => holder(client()) });
    },
    openStandIn: empty?.open,
    warmUp,
  });
  await empty?.close();
});
