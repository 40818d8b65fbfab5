/** Asks the model of an MCP host over its socket. */
import { createConnection, type Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline';
import { MAX_MESSAGE_BYTES } from '../../../question/limits';
import type { Asked, HostErrorCode, HostRequest, HostResponse, Judged } from '../../../question/wire';
import { type SvcError, unavailable } from '../../base/errors';
import { cut, oneLine } from '../../base/text';
import { NoAnswer, type Provider } from '../provider';
import { untilAborted } from '../within-limit';
import { PATIENT_TIMEOUT_MS, PROBE_TIMEOUT_MS } from './limits';

const REFUSED: HostErrorCode = -1;
const MISSING: HostErrorCode = -2;
const BUSY: HostErrorCode = -3;
const NO_METHOD: HostErrorCode = -32601;
const NO_QUESTION: HostErrorCode = -32602;
const MAX_MODEL_NAME = 80;
const TOO_LARGE = 'the host does not take this question: it is too large';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A connection to the socket of an MCP host. */
interface Host {
  call(method: 'ping', params?: undefined, timeoutMs?: number): Promise<unknown>;
  call(method: 'svc/judge', params: Asked, timeoutMs?: number): Promise<unknown>;
  close(): void;
}

/** Whether somebody answers at the socket. */
export async function hostAnswers(path: string): Promise<boolean> {
  try {
    const host = await connect(path);
    try {
      await host.call('ping', undefined, PROBE_TIMEOUT_MS);
      return true;
    } finally {
      host.close();
    }
  } catch {
    return false;
  }
}

/** What the host's user is told and asked about. */
export type HostRun = Pick<Asked, 'folder' | 'sections' | 'token'>;

/** Asks the model of an MCP host, which asks its user. @throws SvcError unavailable when nobody answers */
export async function openMcpHost(path: string, model: string, run: HostRun): Promise<Provider> {
  const host = await connect(path);
  const about = { ...run, ...(model === '' ? {} : { model }) };
  return {
    async ask(question, signal) {
      return readResult(await untilAborted(host.call('svc/judge', { question, ...about }), signal));
    },
    close: async () => host.close(),
  };
}

function readResult(result: unknown): { text: string; model: string } {
  // What the other side says it is; the fields that count are looked at.
  const { text, model } = (result ?? {}) as Partial<Judged>;
  if (typeof text !== 'string') throw new NoAnswer('the host answered with something else than text');
  return { text, model: typeof model === 'string' ? cut(oneLine(model), MAX_MODEL_NAME) : '' };
}

async function connect(path: string): Promise<Host> {
  const socket = await opened(path);
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const end = (): void => {
    for (const { reject } of waiting.values()) reject(gone());
  };
  socket.on('error', end).on('close', end);
  createInterface({ input: socket }).on('line', (line) => {
    const response = parse(line);
    const asked = response && waiting.get(response.id);
    if (!asked) return;
    if ('error' in response) asked.reject(failure(response.error.code));
    else asked.resolve(response.result);
  });
  return {
    async call(method: HostRequest['method'], params?: Asked, timeoutMs = PATIENT_TIMEOUT_MS) {
      if (socket.destroyed) throw gone();
      const id = ++last;
      const line = `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
      if (Buffer.byteLength(line) > MAX_MESSAGE_BYTES) throw new NoAnswer(TOO_LARGE);
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<unknown>((resolve, reject) => {
          timer = setTimeout(() => reject(new NoAnswer('the host took too long')), timeoutMs);
          waiting.set(id, { resolve, reject });
          socket.write(line);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    close: () => socket.destroy(),
  };
}

/** A path on this machine, or one of its pipes: Node takes a bare number for a TCP port. */
export function isSocketPath(path: string): boolean {
  return process.platform === 'win32' ? /^[\\/]{2}[.?][\\/]pipe[\\/]/i.test(path) : isAbsolute(path);
}

function opened(path: string): Promise<Socket> {
  if (!isSocketPath(path)) return Promise.reject(gone());
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path });
    const timer = setTimeout(() => socket.destroy(new Error('timeout')), PROBE_TIMEOUT_MS);
    socket.once('error', () => {
      clearTimeout(timer);
      reject(gone());
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

function parse(line: string): HostResponse | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // Only its id and one of two fields are used, each looked at where it is used.
    return typeof value === 'object' && value !== null && 'id' in value ? (value as HostResponse) : undefined;
  } catch {
    return undefined;
  }
}

function failure(code: unknown): SvcError | NoAnswer {
  if (code === MISSING) {
    return unavailable(
      'The host does not offer this model',
      'Leave --model out to use its default, sign in to its chat, or choose --llm ollama or --llm none',
    );
  }
  if (code === REFUSED) {
    return unavailable(
      'The MCP host refuses access to its model',
      'Allow it when the host asks (in the editor your answer applies until you reload the window), or choose another provider outside the host (on the command line: --llm)',
    );
  }
  if (code === NO_METHOD) {
    return unavailable(
      'The MCP host has another version and does not understand this request',
      'Use the svc that came with the host, or update both to the same version',
    );
  }
  if (code === BUSY) return new NoAnswer('the host has too many questions at once; run it again');
  return new NoAnswer(code === NO_QUESTION ? TOO_LARGE : "the host's model gave no answer");
}

function gone(): SvcError {
  return unavailable(
    'The MCP host has ended, or does not answer at its socket',
    'Start it again and open a new terminal in it, or choose another provider (on the command line: --llm)',
  );
}
