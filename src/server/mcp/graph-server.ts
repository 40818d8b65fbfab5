/** What `svc-mcp` tells of itself. */
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';

export const GRAPH_CAPABILITIES: ServerCapabilities = { tools: {} };

/** What a host puts before its model: short, because it is paid for in every conversation. */
export const GRAPH_INSTRUCTIONS = `The code graph of this project.
- query_codebase with a name or a question, before searching files by hand.
- No graph yet, or many stale_files in graph_status: run "svc build".`;
