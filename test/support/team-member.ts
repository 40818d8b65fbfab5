import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { Team, TeamServer } from './team-server';

/** Runs `work` with a server that is none of ours, by the address of a project on it. */
export async function withStranger(
  answer: RequestListener,
  work: (address: string) => Promise<void>,
  port = 0,
): Promise<void> {
  const server = createServer(answer).listen(port, '127.0.0.1');
  await new Promise((done) => server.on('listening', done));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A server of a stranger that has no memory. @param give answers who asks for a copy, and who stores */
export function answering(give: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url === '/shop/snapshot') return give(request, response);
    let sent = '';
    request.on('data', (chunk: Buffer) => {
      sent += chunk.toString();
    });
    request.on('end', () => {
      const { id, method } = sent === '' ? {} : JSON.parse(sent);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      if (id === undefined) return void response.writeHead(202).end();
      if (sent.includes('"memory_store"')) return give(request, response);
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
          : { content: [], _meta: { 'svc-memory/value': { kind_counts: {} } } };
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  };
}

interface Recalled {
  readonly items: readonly { readonly id: string; readonly content: string; readonly marks?: readonly string[] }[];
  readonly notice?: string;
  readonly more?: { readonly count: number };
}

export async function names(address: string, team: Team): Promise<void> {
  await mkdir(team.path('.svc'), { recursive: true });
  await writeFile(team.path('.svc', 'config.yaml'), `team: ${address}\n`);
}

/** What the editor gives its programs for a folder that has no store yet. */
export const withoutStore = (team: Team): Record<string, string> => ({
  ...{ SVC_MEMORY_DB: team.path('.svc', 'memory.db'), SVC_CREATE_STORE: 'on-write', SVC_STORE_FROM: 'editor' },
});

/** A project whose person has agreed to ask the team, and the environment with a token. */
export async function member(
  team: Team,
  server: TeamServer,
  role = 'writer',
): Promise<{ readonly env: Record<string, string>; readonly token: string }> {
  const token = await team.token('anna', `shop=${role}`);
  const env = { SVC_MEMORY_TOKEN: token };
  await team.ok('init');
  await names(`${server.address}/shop`, team);
  const { status, out, err } = await team.run(['login', '--yes'], { env });
  expect([status, err]).toEqual([0, '']);
  expect(out).toContain(`${server.address}/shop answers`);
  return { env, token };
}

export async function recall(team: Team, env: Record<string, string>, ...args: string[]): Promise<Recalled> {
  const { out, err } = await team.run(['recall', ...args, '--json'], { env });
  if (out === '') throw new Error(err);
  return JSON.parse(out) as Recalled;
}

/** A server that answers each tool with the same value. */
export function givingEach(value: unknown): RequestListener {
  return (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { id, method } = body === '' ? {} : JSON.parse(body);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      if (id === undefined) return void response.writeHead(202).end();
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
          : { content: [], _meta: { 'svc-memory/value': value } };
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  };
}
