import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CreateMessageParams, CreateMessageResult, HostErrorCode, HostResponse } from '../protocol/host-model';

/** A request to the model that has no answer; `failed`: the next one may have one. */
export class NoModel extends Error {
  constructor(readonly why: keyof typeof CODES) {
    super(`${why}: no answer`);
  }
}

const CODES = { refused: -1, missing: -2, failed: -32603 } as const satisfies Record<string, HostErrorCode>;
const MESSAGES = {
  refused: 'The user said no.',
  missing: 'There is no such model.',
  failed: 'The model gave no answer.',
} as const;

/** @throws NoModel */
export type AskModel = (params: CreateMessageParams, gone: AbortSignal) => Promise<CreateMessageResult>;

const MAX_LINE = 4_000_000;
const NO_METHOD: HostErrorCode = -32601;

/** A socket at which child processes ask the editor's model; only its user can reach it. */
export interface HostSocket {
  readonly path: string;
  dispose(): void;
}

/** Opens the socket; it is there when `ready` resolves. */
export function openHostSocket(ask: AskModel): HostSocket & { readonly ready: Promise<void> } {
  // mkdtemp makes a folder that nobody else may enter.
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'svc-host-'));
  const path = folder === undefined ? `\\\\.\\pipe\\svc-host-${process.pid}-${Date.now()}` : join(folder, 'model.sock');
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    answerLines(socket, ask);
  });
  const ready = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    ...{ path, ready },
    dispose() {
      for (const socket of open) socket.destroy();
      server.close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answerLines(socket: Socket, ask: AskModel): void {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  let unended = 0;
  socket.on('data', (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(10);
    unended = newline < 0 ? unended + chunk.length : chunk.length - newline;
    // Before it is put together: a line without an end would fill the memory of the editor.
    if (unended > MAX_LINE) socket.destroy();
  });
  createInterface({ input: socket }).on('line', (line) => {
    answer(line, ask, gone.signal).then((response) => {
      if (response && !socket.destroyed) socket.write(`${JSON.stringify(response)}\n`);
    });
  });
}

async function answer(line: string, ask: AskModel, gone: AbortSignal): Promise<HostResponse | undefined> {
  const request = parse(line);
  if (!request) return undefined;
  const { id, method, params } = request;
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  if (method !== 'sampling/createMessage' || !params) {
    return { jsonrpc: '2.0', id, error: { code: NO_METHOD, message: 'There is no such method.' } };
  }
  try {
    return { jsonrpc: '2.0', id, result: await ask(params, gone) };
  } catch (error) {
    const why = error instanceof NoModel ? error.why : 'failed';
    return { jsonrpc: '2.0', id, error: { code: CODES[why], message: MESSAGES[why] } };
  }
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
    // The one client is our own command line; a foreign one gets an error for what it misses.
    return typeof value.id === 'number' && typeof value.method === 'string' ? (value as Parsed) : undefined;
  } catch {
    return undefined;
  }
}
