/** The methods that `svc-memory-mcp` answers. */
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { SvcError } from '../base/errors';
import type { Log } from '../base/log';
import type { Tool } from '../tools/define-tool';
import { askTools } from './ask';
import type { ClientAbilities } from './ask-to-keep';
import { complete } from './completions';
import type { Addressed, Folders } from './folders';
import { getPrompt, listPrompts } from './prompts';
import { invalidParams } from './protocol-error';
import { listResources, listTemplates, readResource } from './resources';
import type { Methods } from './serve';
import { addressIn, promptWithFolder, resourceIn } from './several-folders';
import { type SharedDoor, toolMethods } from './tool-methods';

export const CAPABILITIES: ServerCapabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };

/**
 * The tools of a memory as the methods of an MCP server.
 * @param registry all of them; prompts and resources use those for people, too
 * @param offered those that agents are offered
 */
export function memoryMethods(
  registry: readonly Tool[],
  offered: readonly Tool[],
  log: Log,
  folders: Folders,
  client: ClientAbilities,
  door?: SharedDoor,
): Methods {
  const { names } = folders;
  const { methods, written } = toolMethods(offered, log, folders, client, door);
  const askIn = (folder?: string) =>
    askTools(registry, (effect) => written().then(() => folders.open(effect, folder)), log);
  return {
    ...methods,
    'prompts/list': async () => ({ prompts: listPrompts().prompts.map((prompt) => promptWithFolder(prompt, names)) }),
    'prompts/get': async ({ name, arguments: given }) => {
      const { folder, input } = inFolder(folders, given);
      return getPrompt(askIn(folder), name, input);
    },
    'resources/list': async () => {
      if (names.length === 0) return listResources(askIn());
      const lists = names.map(async (name) => {
        const { resources } = await listResources(askIn(name));
        return resources.map((resource) => resourceIn(resource, name));
      });
      return { resources: (await Promise.all(lists)).flat() };
    },
    'resources/templates/list': async () => listTemplates(),
    'resources/read': async ({ uri }) => {
      const { folder, address } = addressIn(String(uri), names);
      return readResource(askIn(folder), String(uri), address);
    },
    'completion/complete': ({ ref, argument }) => complete(askIn(), ref, argument),
  };
}

/** @throws ProtocolError for a folder that is not served */
function inFolder(folders: Folders, given: unknown): Addressed<unknown> {
  try {
    return folders.addressed(given);
  } catch (error) {
    throw error instanceof SvcError ? invalidParams(error.said) : error;
  }
}
