import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type {
  CreateMessageParams,
  CreateMessageResult,
  HostErrorCode,
  HostRequest,
  HostResponse,
} from '../../../protocol/host-model';
import { type SvcError, unavailable } from '../../base/errors';
import { cut, oneLine } from '../../base/text';
import { promptOf } from '../prompt';
import { NoAnswer, type Provider } from '../provider';
import { hostSettings } from '../request-of';
import { untilAborted } from '../within-limit';
import { PATIENT_TIMEOUT_MS, PROBE_TIMEOUT_MS } from './limits';

const REFUSED: HostErrorCode = -1;
const MISSING: HostErrorCode = -2;
const NO_METHOD: HostErrorCode = -32601;
const MAX_MODEL_NAME = 80;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A connection to the socket of an MCP host. */
interface Host {
  call(method: 'ping', params?: undefined, timeoutMs?: number): Promise<unknown>;
  call(method: 'sampling/createMessage', params: CreateMessageParams, timeoutMs?: number): Promise<unknown>;
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

/** Asks the model of an MCP host, which asks its user. @throws SvcError unavailable when nobody answers */
export async function openMcpHost(path: string, model: string): Promise<Provider> {
  const host = await connect(path);
  return {
    async ask(question, signal) {
      const { system, user } = promptOf(question);
      const asked = host.call('sampling/createMessage', {
        messages: [{ role: 'user', content: { type: 'text', text: user } }],
        ...{ systemPrompt: system, ...hostSettings(model) },
      });
      return readResult(await untilAborted(asked, signal));
    },
    close: async () => host.close(),
  };
}

function readResult(result: unknown): { text: string; model: string } {
  // What the other side says it is; the fields that count are looked at.
  const { content, model } = (result ?? {}) as Partial<CreateMessageResult>;
  if (content?.type !== 'text' || typeof content.text !== 'string') {
    throw new NoAnswer('the host answered with something else than text');
  }
  return { text: content.text, model: typeof model === 'string' ? cut(oneLine(model), MAX_MODEL_NAME) : '' };
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
    async call(method: HostRequest['method'], params?: CreateMessageParams, timeoutMs = PATIENT_TIMEOUT_MS) {
      if (socket.destroyed) throw gone();
      const id = ++last;
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<unknown>((resolve, reject) => {
          timer = setTimeout(() => reject(new NoAnswer('the host took too long')), timeoutMs);
          waiting.set(id, { resolve, reject });
          socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    close: () => socket.destroy(),
  };
}

function opened(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
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
      'The host offers no such model',
      'Leave --model out for the one it offers, sign in to its chat, or choose --llm ollama or --llm none',
    );
  }
  if (code !== REFUSED && code !== NO_METHOD) return new NoAnswer("the host's model gave no answer");
  return unavailable(
    'The MCP host does not let its model be asked',
    'Allow it there when it asks, or choose another provider with --llm outside of the host',
  );
}

function gone(): SvcError {
  return unavailable(
    'The MCP host went away, or does not answer at its socket',
    'Start it again and open a new terminal in it, or choose another provider with --llm',
  );
}
