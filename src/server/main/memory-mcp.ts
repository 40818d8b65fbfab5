/** The main of `svc-memory-mcp`. */
import { version } from '../../../package.json';
import { locateStore } from '../../store-place/locate';
import type { ServedFolder } from '../mcp/folders';
import { INSTRUCTIONS } from '../mcp/instructions';
import { CAPABILITIES, memoryMethods } from '../mcp/memory-server';
import { serve } from '../mcp/serve';
import { offeredTools } from '../mcp/tool-list';
import { warmUp } from '../mcp/warm-up';
import { absentStore } from '../project/absent-store';
import { readKeeping } from '../project/keeping';
import { openProject } from '../project/open';
import { MEMORY_TOOLS } from '../tools/registry';
import { teamConnector } from './load-team';
import { runMcpProcess } from './mcp-process';
import { keepSetting } from './process';
import type { FolderProcess } from './served-folders';
import { toolsElsewhere } from './tool-choice';
import { untilWritten } from './until-written';

/** `svc-memory-mcp`: the memory of the project around this process, for one MCP client on standard input and output. */
runMcpProcess('svc-memory-mcp', 'the memory', async (process) => {
  const { folders, choice, log, configLog, opening, holder, serving, transport } = process;
  const askTeam = { connect: teamConnector(), log: configLog };
  const served = (folder: FolderProcess): ServedFolder => {
    const { name, around } = folder;
    const absent = () => absentStore(around);
    const empty = untilWritten(folder, { ...opening(folder), askTeam, absent, holder: () => holder() });
    return {
      name,
      path: around.cwd,
      openProject: (clientRoots, client) => {
        const here = { ...around, clientRoots };
        const place = locateStore(here);
        const keeping = readKeeping({ place, home: around.home, setting: keepSetting, log: configLog });
        return openProject({
          ...{ ...opening(folder), place, keeping, askTeam },
          absent: () => absentStore(here),
          holder: () => holder(client()),
          judgesAhead: true,
        });
      },
      openStandIn: empty?.open,
      close: empty?.close,
    };
  };
  const offered = offeredTools(MEMORY_TOOLS, choice, toolsElsewhere());
  await serve(transport, {
    ...serving,
    name: 'svc-memory',
    title: 'Agent Memory',
    version,
    instructions: INSTRUCTIONS,
    capabilities: CAPABILITIES,
    methods: (projects, client) => memoryMethods(MEMORY_TOOLS, offered, log, projects, client),
    folders: folders.map(served),
    warmUp,
  });
});
