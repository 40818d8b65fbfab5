/** The endpoint of a model on loopback, which answers by a script in the forms of four interfaces. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WIRES, type Wire } from './wires';

/** What an agent sent to its model: the tools with what was said of each, and all of the text. */
export interface ModelRequest {
  readonly path: string;
  readonly tools: readonly OfferedTool[];
  /** What searches for tools have brought. */
  readonly found: readonly OfferedTool[];
  readonly body: string;
}

export interface OfferedTool {
  readonly name: string;
  /** Of a group of tools, in whose name the call has to be made. */
  readonly group?: string;
  /** As it is sent, for counting. */
  readonly sent: unknown;
}

/** What the scripted model says next. */
export type Reply =
  | { readonly text: string }
  | { readonly call: { readonly tool: OfferedTool; readonly input: Readonly<Record<string, unknown>> } };

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** @param answer is asked once for each request that offers tools; others get a word */
export async function startModel(answer: (request: ModelRequest) => Reply | Promise<Reply>): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const body = await read(request);
    const wire = WIRES.find(({ path: pattern }) => pattern.test(path));
    if (!wire || request.method !== 'POST') return other(path, response);
    const asked = JSON.parse(body) as Record<string, unknown>;
    const tools = wire.tools(asked);
    const received: ModelRequest = { path, tools, found: wire.found?.(asked) ?? [], body };
    if (tools.length > 0) requests.push(received);
    send(wire, asked, path, tools.length > 0 ? await answer(received) : { text: 'A title' }, response);
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function send(
  wire: Wire,
  asked: Readonly<Record<string, unknown>>,
  path: string,
  reply: Reply,
  response: ServerResponse,
): void {
  const streams = asked.stream === true || path.endsWith(':streamGenerateContent');
  if (!streams) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wire.whole(reply)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of wire.events(reply)) {
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  }
  response.end(wire.end);
}

/** Lists of models, counts of tokens and the like. */
function other(path: string, response: ServerResponse): void {
  const isModels = path.endsWith('/models');
  const value = isModels
    ? { object: 'list', data: [{ id: 'scripted', object: 'model' }] }
    : { input_tokens: 1, totalTokens: 1 };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
}
