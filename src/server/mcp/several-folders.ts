/** What a server says where its client has several folders open. */
import type { Tool as ListedTool, Prompt, Resource } from '@modelcontextprotocol/sdk/types.js';
import { FOLDER } from './folders';
import { invalidParams } from './protocol-error';

const WITHOUT_IT = 'without it the first one';

/** After the instructions, which speak of one project. */
export const SEVERAL_FOLDERS = `Several folders are open, each a project of its own: tools take "${FOLDER}", ${WITHOUT_IT} is meant.`;

/** A tool that may be told the folder. */
export function withFolder(tool: ListedTool, names: readonly string[]): ListedTool {
  if (names.length === 0) return tool;
  const folder = { type: 'string', enum: [...names], description: WITHOUT_IT };
  const { properties, ...schema } = tool.inputSchema;
  return { ...tool, inputSchema: { ...schema, properties: { ...properties, [FOLDER]: folder } } };
}

/** A prompt that may be told the folder. */
export function promptWithFolder(prompt: Prompt, names: readonly string[]): Prompt {
  if (names.length === 0) return prompt;
  const folder = { name: FOLDER, description: `${names.join(', ')}; ${WITHOUT_IT}`, required: false };
  return { ...prompt, arguments: [...(prompt.arguments ?? []), folder] };
}

const IN_FOLDER = `?${FOLDER}=`;

/** Where a resource of a folder is found among those of several. */
export function resourceIn(resource: Resource, name: string): Resource {
  return {
    ...resource,
    uri: resource.uri + IN_FOLDER + encodeURIComponent(name),
    title: `${resource.title ?? resource.name} (${name})`,
  };
}

/** The folder of a resource, and its address there. @throws ProtocolError for a folder that is not served */
export function addressIn(uri: string, names: readonly string[]): { folder: string | undefined; address: string } {
  const at = uri.lastIndexOf(IN_FOLDER);
  if (at < 0 || names.length === 0) return { folder: undefined, address: uri };
  const encoded = uri.slice(at + IN_FOLDER.length);
  const folder = names.find((name) => encodeURIComponent(name) === encoded);
  if (folder === undefined) throw invalidParams(`There is no such folder. The folders are ${names.join(', ')}.`);
  return { folder, address: uri.slice(0, at) };
}
