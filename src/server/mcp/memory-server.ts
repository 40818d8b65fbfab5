import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log';
import { quoted } from '../base/text';
import type { Project } from '../project/open';
import { callTool } from '../tools/call-tool';
import type { Tool } from '../tools/define-tool';
import { askTools } from './ask';
import { complete } from './completions';
import { reportProgress } from './progress';
import { getPrompt, listPrompts } from './prompts';
import { invalidParams } from './protocol-error';
import { listResources, listTemplates, readResource } from './resources';
import type { Call, Methods } from './serve';
import { describeTool, offeredTools } from './tool-list';
import { toolResult } from './tool-result';

export const CAPABILITIES: ServerCapabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };

/** A registry of tools as the methods of an MCP server. */
export function memoryMethods(registry: readonly Tool[], log: Log, project: () => Promise<Project>): Methods {
  const tools = offeredTools(registry);
  // A request sees what the calls before it wrote, also when a client does not wait for their answers.
  let writes: Promise<unknown> = Promise.resolve();
  const ask = askTools(registry, () => writes.then(project), log);
  return {
    'tools/list': async () => ({ tools: tools.map(describeTool) }),
    'tools/call': async (params, call) => {
      const tool = tools.find((candidate) => candidate.name === params.name);
      if (!tool) {
        const names = tools.map((candidate) => candidate.name).join(', ');
        throw invalidParams(`There is no tool ${quoted(String(params.name))}. The tools are ${names}.`);
      }
      const progress = progressOf(call);
      const before = writes;
      const answering = before.then(() =>
        callTool(tools, project, tool.name, params.arguments ?? {}, {
          signal: call.signal,
          log,
          ...(progress ? { progress: progress.report } : {}),
        }),
      );
      if (tool.effect !== 'read') writes = answering;
      const answer = await answering;
      await progress?.finish();
      return toolResult(answer, tool.output !== undefined);
    },
    'prompts/list': async () => listPrompts(),
    'prompts/get': ({ name, arguments: given }) => getPrompt(ask, name, given),
    'resources/list': () => listResources(ask),
    'resources/templates/list': async () => listTemplates(),
    'resources/read': ({ uri }) => readResource(ask, String(uri)),
    'completion/complete': ({ ref, argument }) => complete(ask, ref, argument),
  };
}

/** Where the caller asked to be told how far the work has come. */
function progressOf(call: Call) {
  const progressToken = call._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return reportProgress((progress, total) =>
    call.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total } }),
  );
}
