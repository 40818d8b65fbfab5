/** Answers one HTTP request of the protocol: a transport of the SDK for each, because all state is the client's. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { version } from '../../../package.json';
import { cut, oneLine } from '../base/text';
import { INSTRUCTIONS } from '../mcp/instructions';
import { CAPABILITIES } from '../mcp/memory-server';
import { methodNotFound } from '../mcp/protocol-error';
import { NO_VALIDATOR } from '../mcp/serve';
import type { Client } from './clients';

/** Header of the session of the protocol. */
export const SESSION_HEADER = 'mcp-session-id';

/**
 * @param body what was sent, as JSON values
 * @param client undefined while the handshake goes on
 */
export async function answerRequest(request: Request, body: unknown, client: Client | undefined): Promise<Response> {
  const server = new Server(
    { name: 'svc-memory', title: 'Agent Memory', version },
    { capabilities: CAPABILITIES, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  server.fallbackRequestHandler = async ({ method, params }, call) => {
    const answer = client && Object.hasOwn(client.methods, method) ? client.methods[method] : undefined;
    if (!answer) throw methodNotFound(`There is no method ${oneLine(cut(method, 100))}.`);
    const stop = new AbortController();
    const signal = AbortSignal.any([call.signal, request.signal, stop.signal]);
    client?.running.set(call.requestId, stop);
    try {
      return { ...(await answer(params ?? {}, { ...call, signal })) };
    } finally {
      client?.running.delete(call.requestId);
    }
  };
  endCancelled(body, client);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !reportsProgress(body) });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: body });
  if (!response.body || response.headers.get('content-type')?.startsWith('application/json')) await server.close();
  return response;
}

/** The request that a client takes back came with another request of HTTP. */
function endCancelled(body: unknown, client: Client | undefined): void {
  for (const { method, params } of messagesIn(body)) {
    const asked = method === 'notifications/cancelled' ? params?.requestId : undefined;
    if (typeof asked === 'string' || typeof asked === 'number') client?.running.get(asked)?.abort();
  }
}

/** Only a stream of events can tell how far the work has come. */
function reportsProgress(body: unknown): boolean {
  return messagesIn(body).some(({ params }) => {
    const meta = params?._meta;
    return typeof meta === 'object' && meta !== null && 'progressToken' in meta;
  });
}

interface Message {
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

function messagesIn(body: unknown): readonly Message[] {
  const all: readonly unknown[] = Array.isArray(body) ? body : [body];
  return all
    .filter((each): each is Message => typeof each === 'object' && each !== null)
    .map((each) => {
      const { params } = each as { params?: unknown };
      return typeof params === 'object' && params !== null ? (each as Message) : { method: each.method };
    });
}
