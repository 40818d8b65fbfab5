import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { type Place, serverEnvironment } from '../../support/stdio-client';

export interface Bridge {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A stdio server behind HTTP, one process for each session: the conformance suite speaks nothing else. */
export async function startBridge(place: Place, serverFile: string): Promise<Bridge> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const children = new Set<StdioClientTransport>();
  const allowedHosts: string[] = [];

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const http = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, http);
      },
      enableDnsRebindingProtection: true,
      allowedHosts,
    });
    const child = new StdioClientTransport({
      command: process.execPath,
      args: [serverFile],
      cwd: place.folder,
      env: serverEnvironment(place),
    });
    children.add(child);
    // What the server says while it works on a request belongs to the stream of that request. Over stdio nothing tells
    // which one it is; the suite has one at a time.
    const inFlight: RequestId[] = [];
    http.onmessage = (message) => {
      if (isJSONRPCRequest(message)) inFlight.push(message.id);
      void child.send(message);
    };
    child.onmessage = (message) => {
      const current = inFlight.at(-1);
      if (!('method' in message)) inFlight.splice(inFlight.indexOf(message.id ?? ''), 1);
      else if (current !== undefined) return void http.send(message, { relatedRequestId: current });
      void http.send(message);
    };
    await http.start();
    await child.start();
    return http;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? sessions.get(id) : await openSession();
    if (session) await session.handleRequest(request, response);
    else response.writeHead(404).end();
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  allowedHosts.push(`localhost:${port}`, `127.0.0.1:${port}`);
  return {
    url: `http://localhost:${port}/mcp`,
    close: async () => {
      await Promise.all([...children].map((child) => child.close()));
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
