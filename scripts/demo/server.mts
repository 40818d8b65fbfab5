// The memory server of the working day, with the official client, which prints nothing of what it does.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { printAnswer, printCall } from './layout.mts';

export interface Server {
  /** Calls a tool, prints call and answer, and returns the answer's text. @throws Error when the tool refuses */
  call(tool: string, input: Record<string, unknown>): Promise<string>;
  /** Ends the process by closing its standard input, as an editor does. */
  close(): Promise<void>;
}

export interface StartServer {
  readonly node: string;
  readonly program: string;
  /** The project's folder: the server finds its store from there. */
  readonly folder: string;
  readonly namespace?: string;
}

/** Starts the built server and connects the official MCP client to it over stdio. */
export async function startServer({ node, program, folder, namespace }: StartServer): Promise<Server> {
  const transport = new StdioClientTransport({
    command: node,
    args: [program],
    cwd: folder,
    env: { ...getDefaultEnvironment(), ...(namespace === undefined ? {} : { SVC_NAMESPACE: namespace }) },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'working-day', version: '1.0.0' });
  await client.connect(transport);
  return {
    async call(tool, input) {
      printCall(tool, input);
      const result = await client.callTool({ name: tool, arguments: input });
      const text = textOf(result.content);
      printAnswer(text, result.isError === true);
      if (result.isError === true) throw new Error(`${tool} refused: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}

function textOf(content: unknown): string {
  const parts = Array.isArray(content) ? (content as readonly { type: string; text?: string }[]) : [];
  return parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('\n');
}
