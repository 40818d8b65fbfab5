/** Describes the tools for `tools/list`. */
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../tools/define-tool';
import { inputSchema, outputSchema } from './json-schema';

/** The entries of the registry that agents see: what only people need stays with the command line and the resources. */
export function offeredTools(registry: readonly Tool[]): readonly Tool[] {
  return registry.filter((tool) => tool.audience !== 'human');
}

/** A tool as `tools/list` describes it. */
export function describeTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    // The SDK's type has no word for some keywords of a schema; that it is one of an object follows from z.object.
    inputSchema: inputSchema(tool.input) as ListedTool['inputSchema'],
    ...(tool.output ? { outputSchema: outputSchema(tool.output) as ListedTool['inputSchema'] } : {}),
    annotations: annotate(tool),
  };
}

/** What hosts decide by whether to ask the person first. */
function annotate({ effect, idempotent }: Tool): ToolAnnotations {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destroy',
    idempotentHint: effect === 'read' || idempotent === true,
    // The store is all that any tool touches.
    openWorldHint: false,
  };
}
