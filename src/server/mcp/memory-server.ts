/** The methods that `svc-memory-mcp` answers. */
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log';
import type { Project } from '../project/open';
import type { Effect, Tool } from '../tools/define-tool';
import { askTools } from './ask';
import type { ClientAbilities } from './ask-to-keep';
import { complete } from './completions';
import { getPrompt, listPrompts } from './prompts';
import { listResources, listTemplates, readResource } from './resources';
import type { Methods } from './serve';
import { toolMethods } from './tool-methods';

export const CAPABILITIES: ServerCapabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };

/** A registry of tools as the methods of an MCP server. */
export function memoryMethods(
  registry: readonly Tool[],
  log: Log,
  project: (effect: Effect) => Promise<Project>,
  client: ClientAbilities,
): Methods {
  const { methods, written } = toolMethods(registry, log, project, client);
  const ask = askTools(registry, (effect) => written().then(() => project(effect)), log);
  return {
    ...methods,
    'prompts/list': async () => listPrompts(),
    'prompts/get': ({ name, arguments: given }) => getPrompt(ask, name, given),
    'resources/list': () => listResources(ask),
    'resources/templates/list': async () => listTemplates(),
    'resources/read': ({ uri }) => readResource(ask, String(uri)),
    'completion/complete': ({ ref, argument }) => complete(ask, ref, argument),
  };
}
