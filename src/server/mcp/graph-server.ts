/** What `svc-mcp` tells of itself. */
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { ToolChoice } from '../project/config';

export const GRAPH_CAPABILITIES: ServerCapabilities = { tools: {} };

/** What a host puts before its model: short, because it is paid for in every conversation. */
export const GRAPH_INSTRUCTIONS: Readonly<Record<ToolChoice, string>> = {
  all: instructionsWith('many stale_files in graph_status'),
  core: instructionsWith('one that is out of date'),
};

function instructionsWith(stale: string): string {
  return `The code graph of this project.
- query_codebase with a name or a question, before searching files by hand.
- No graph yet, or ${stale}: run "svc build".`;
}
