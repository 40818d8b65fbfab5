/** Describes the tools for `tools/list`. */
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { CORE_TOOLS } from '../guidance/sentences';
import type { ToolChoice } from '../project/config';
import type { Tool } from '../tools/define-tool';
import { inputSchema, outputSchema } from './json-schema';

/**
 * The entries of the registry that agents see: what only people need stays with the command line and the resources.
 * @param choice `core`: those that the texts for agents name, and no others
 * @param elsewhere those that the host gives its model in another way
 */
export function offeredTools(
  registry: readonly Tool[],
  choice: ToolChoice = 'all',
  elsewhere: readonly string[] = [],
): readonly Tool[] {
  return registry.filter(
    ({ audience, name }) =>
      audience !== 'human' && (choice === 'all' || CORE.includes(name)) && !elsewhere.includes(name),
  );
}

/** What agents use by themselves while they work. */
const CORE: readonly string[] = [...CORE_TOOLS, 'memory_verify', 'memory_end_session', 'query_codebase'];

/**
 * A host that shows its model the names of tools alone, until it searches for one, is asked to show these as they are
 * (Claude Code 2.1.330). Another that defers, Qwen Code 0.24.4, reads no mark of a tool: the entry of the server says it
 * there (agents/hosts). The instructions name the tools to load together.
 */
const ALWAYS_LOADED: readonly string[] = ['memory_recall', 'memory_store', 'memory_for_code', 'memory_end_session'];

/** A tool as `tools/list` describes it. */
export function describeTool(tool: Tool): ListedTool {
  const output = tool.output && outputSchema(tool.output);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    // The SDK's type has no word for some keywords of a schema; that it is one of an object follows from z.object.
    inputSchema: inputSchema(tool.input) as ListedTool['inputSchema'],
    ...(output ? { outputSchema: output as ListedTool['inputSchema'] } : {}),
    annotations: annotate(tool),
    ...(ALWAYS_LOADED.includes(tool.name) ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
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
