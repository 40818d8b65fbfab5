/** Answers questions about sections at a socket. */
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import {
  ANSWER_TIMEOUT_MS,
  MAX_ANSWER_LENGTH,
  MAX_MESSAGE_BYTES,
  MOST_AT_ONCE,
  MOST_CONNECTIONS,
  MOST_QUESTIONS,
} from './limits';
import { readAsked } from './read-asked';
import type { Asked, HostErrorCode, HostResponse, Judged } from './wire';

/** A question that has no answer; `failed`: the next one may have one. */
export class NoModel extends Error {
  constructor(readonly why: 'refused' | 'missing' | 'failed') {
    super(`${why}: no answer`);
  }
}

const PROBLEMS = {
  refused: { code: -1, message: 'The user said no.' },
  missing: { code: -2, message: 'There is no such model.' },
  busy: { code: -3, message: 'There are too many questions at once.' },
  method: { code: -32601, message: 'There is no such method.' },
  question: { code: -32602, message: 'That is no question about a section, or one that is too large.' },
  failed: { code: -32603, message: 'The model gave no answer.' },
} as const satisfies Record<string, { readonly code: HostErrorCode; readonly message: string }>;

export interface AnswerQuestions {
  /** Whether who asks may ask; it may take as long as a person does. */
  readonly admits: (asked: Asked) => Promise<boolean>;
  /** @throws NoModel */
  readonly answer: (asked: Asked, stop: AbortSignal) => Promise<Judged>;
  /** How long it may take. */
  readonly limitMs?: number;
}

export interface QuestionServer {
  /** It does not listen yet. */
  readonly server: Server;
  close(): Promise<void>;
}

/** Answers questions about sections at a socket, as many at once as the limits allow. */
export function questionServer({ admits, answer, limitMs = ANSWER_TIMEOUT_MS }: AnswerQuestions): QuestionServer {
  const open = new Set<Socket>();
  const inTurn = turns(MOST_AT_ONCE);
  const judge = async (asked: Asked, gone: AbortSignal): Promise<Judged> => {
    if (!(await admits(asked))) throw new NoModel('refused');
    return inTurn(async () => {
      // Nobody waits for the answer any more.
      if (gone.aborted) throw new NoModel('failed');
      const stop = AbortSignal.any([gone, AbortSignal.timeout(limitMs)]);
      const judged = await unlessStopped(answer(asked, stop), stop);
      if (judged.text.length > MAX_ANSWER_LENGTH) throw new NoModel('failed');
      return judged;
    });
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    answerLines(socket, judge);
  });
  server.maxConnections = MOST_CONNECTIONS;
  return {
    server,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

type Judge = (asked: Asked, gone: AbortSignal) => Promise<Judged>;

function answerLines(socket: Socket, judge: Judge): void {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  let unended = 0;
  socket.on('data', (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(10);
    unended = newline < 0 ? unended + chunk.length : chunk.length - newline;
    // Before it is put together: a line without an end would fill the memory.
    if (unended > MAX_MESSAGE_BYTES) socket.destroy();
  });
  let questions = 0;
  const lines = createInterface({ input: socket });
  // Who asks and does not read the answers waits, and fills no memory.
  socket.on('drain', () => lines.resume());
  lines.on('line', async (line) => {
    if (socket.destroyed) return;
    const busy = questions >= MOST_QUESTIONS;
    questions += 1;
    const response = await respond(line, busy, (asked) => judge(asked, gone.signal));
    questions -= 1;
    if (response && !socket.destroyed && !socket.write(`${JSON.stringify(response)}\n`)) lines.pause();
  });
}

async function respond(
  line: string,
  busy: boolean,
  judge: (asked: Asked) => Promise<Judged>,
): Promise<HostResponse | undefined> {
  const request = parse(line);
  if (!request) return undefined;
  const { id, method } = request;
  const problem = (which: keyof typeof PROBLEMS): HostResponse => ({ jsonrpc: '2.0', id, error: PROBLEMS[which] });
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  if (method !== 'svc/judge') return problem('method');
  if (busy) return problem('busy');
  const asked = Buffer.byteLength(line) > MAX_MESSAGE_BYTES ? undefined : readAsked(request.params);
  if (!asked) return problem('question');
  try {
    const { text, model } = await judge(asked);
    return { jsonrpc: '2.0', id, result: { text, model } };
  } catch (error) {
    return problem(error instanceof NoModel ? error.why : 'failed');
  }
}

/** Lets at most this many works run at once; the others wait, in their order. */
function turns(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < most) running += 1;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      // The turn is handed on.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** A model may ignore the signal. Then its turn ends without its answer. @throws NoModel */
async function unlessStopped<Value>(work: Promise<Value>, stop: AbortSignal): Promise<Value> {
  let end = (): void => {};
  const stopped = new Promise<never>((_, fail) => {
    end = () => fail(new NoModel('failed'));
  });
  stop.addEventListener('abort', end);
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener('abort', end);
  }
}

interface Parsed {
  readonly id: number;
  readonly method: string;
  readonly params?: unknown;
}

function parse(line: string): Parsed | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value)) return undefined;
    const { id, method } = value;
    if (typeof id !== 'number' || typeof method !== 'string') return undefined;
    return { id, method, ...('params' in value ? { params: value.params } : {}) };
  } catch {
    return undefined;
  }
}
