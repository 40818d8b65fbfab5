import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

// A server with one tool as the SDK's documentation has it.
const server = new McpServer({ name: 'do-nothing', version: '1.0.0' });
server.registerTool('nothing', {}, () => ({ content: [{ type: 'text', text: 'nothing' }] }));
void server.connect(new StdioServerTransport());
