import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket, type Server as SocketServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { CreateMessageParams, HostErrorCode, HostResponse } from '../../protocol/host-model';
import type { Log } from '../base/log';

/** What a client may be asked for: its user is asked first, and thinks. */
const PATIENCE_MS = 600_000;
const MAX_LINE = 4_000_000;
const REFUSED: HostErrorCode = -1;
const NO_METHOD: HostErrorCode = -32601;
const FAILED: HostErrorCode = -32603;

/** The model of an MCP client, offered at a socket to `svc ingest`. */
export interface HostModel {
  close(): Promise<void>;
}

/**
 * Answers at the socket what the client answers to `sampling/createMessage`, as long as the server runs.
 * @param path a path of a Unix domain socket in a folder of the user's own, or of a named pipe
 */
export async function offerHostModel(server: Server, path: string, log: Log): Promise<HostModel> {
  const open = new Set<Socket>();
  const listener = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    answerLines(server, socket);
  });
  await listen(listener, path);
  listener.on('error', (error) => log(`the model of the client is no longer offered: ${error.message}`));
  // Nobody else may use the account behind the model; on Windows the pipe belongs to its user.
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return {
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((done) => listener.close(() => done()));
    },
  };
}

function answerLines(server: Server, socket: Socket): void {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(10);
    length = newline < 0 ? length + chunk.length : chunk.length - newline;
    if (length > MAX_LINE) socket.destroy();
  });
  createInterface({ input: socket }).on('line', (line) => {
    answer(server, line, gone.signal).then((response) => {
      if (response && !socket.destroyed) socket.write(`${JSON.stringify(response)}\n`);
    });
  });
}

async function answer(server: Server, line: string, signal: AbortSignal): Promise<HostResponse | undefined> {
  const request = parse(line);
  if (!request) return undefined;
  const { id, method } = request;
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  if (method !== 'sampling/createMessage') return refusal(id, NO_METHOD, 'There is no such method.');
  try {
    // The client's side of the SDK validates what it is asked.
    const params = request.params as Parameters<Server['createMessage']>[0];
    const { content, model } = await server.createMessage(params, { signal, timeout: PATIENCE_MS });
    const [text] = Array.isArray(content) ? content : [content];
    if (text?.type !== 'text') return refusal(id, FAILED, 'The model did not answer with text.');
    return { jsonrpc: '2.0', id, result: { role: 'assistant', content: { type: 'text', text: text.text }, model } };
  } catch (error) {
    const refused = error instanceof McpError && (error.code === REFUSED || error.code === NO_METHOD);
    return refusal(id, refused ? REFUSED : FAILED, refused ? 'The user said no.' : 'The client gave no answer.');
  }
}

function refusal(id: number, code: HostErrorCode, message: string): HostResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

interface Parsed {
  readonly id: number;
  readonly method: string;
  readonly params?: CreateMessageParams;
}

function parse(line: string): Parsed | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value)) return undefined;
    const known = typeof value.id === 'number' && typeof value.method === 'string';
    return known ? (value as Parsed) : undefined;
  } catch {
    return undefined;
  }
}

async function listen(listener: SocketServer, path: string): Promise<void> {
  // What a killed server with this number left.
  if (process.platform !== 'win32') await rm(path, { force: true });
  await new Promise<void>((done, fail) => {
    listener.once('error', fail);
    listener.listen(path, () => {
      listener.off('error', fail);
      done();
    });
  });
  // It must not keep a server alive whose client is gone.
  listener.unref();
}
