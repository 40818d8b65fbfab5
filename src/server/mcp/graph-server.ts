/** What `svc-mcp` tells of itself. */
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';

export const GRAPH_CAPABILITIES: ServerCapabilities = { tools: {} };

/** What a host puts before its model: short, because it is paid for in every conversation. */
export const GRAPH_INSTRUCTIONS = `The code graph of this project: definitions, what calls them, and the memories on them.
- query_codebase with a name or a question, before searching files by hand.
- When it says that no graph has been built, or graph_status shows many stale_files: run "svc build".`;
