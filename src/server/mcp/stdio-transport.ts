/** Reads and writes the messages of a server on standard input and output. */
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { LineReader } from './line-reader';

/**
 * In bytes. An import of 100,000 long memories has about 100 MB. A line is there twice at the most while it is read:
 * as bytes and as text, then as text and as values; of a longer one nothing is kept.
 */
export const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

export interface StdioTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes?: number;
  /** What is wrong with the parameters of a request; undefined when nothing is. */
  readonly refuse?: (method: string, params: unknown) => string | undefined;
  /** No more messages will come; answers may still go out. */
  readonly onEnd?: () => void;
}

/**
 * JSON-RPC messages as lines on two streams. Against the SDK's own: it reads in linear time, has no limit of 10 MiB,
 * answers a line that is no message instead of dropping it or the connection, and ends when its input ends, after the
 * answers to what was asked before are out.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void;

  private readonly reader: LineReader;
  /** Requests that have not been answered. */
  private readonly waiting = new Set<RequestId>();
  private initialized = false;
  private inputEnded = false;
  private closed = false;
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(private readonly options: StdioTransportOptions) {
    const maxLine = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.reader = new LineReader({
      maxLine,
      onLine: (line) => this.receive(line),
      onTooLong: () =>
        this.answerError(
          null,
          ErrorCode.InvalidRequest,
          `The message is longer than ${maxLine} bytes and was not read. Send it in several parts.`,
        ),
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.options;
    output.on('error', this.outputLost);
    input.on('data', this.dataArrived);
    input.on('end', this.inputDone);
    input.on('close', this.inputDone);
    input.on('error', this.inputDone);
  }

  /** Resolves when the message has left this process, so that a slow reader slows the sender. */
  send(message: JSONRPCMessage): Promise<void> {
    const answered = 'method' in message ? undefined : message.id;
    this.lastWrite = this.write(message);
    if (answered !== undefined) this.settle(answered);
    return this.lastWrite;
  }

  /** Resolves when everything that was sent is out. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const { input } = this.options;
    input.off('data', this.dataArrived);
    input.off('end', this.inputDone);
    input.off('close', this.inputDone);
    // An open pipe would keep the process alive.
    input.destroy();
    await this.lastWrite;
    this.onclose?.();
  }

  /** Reads no more. Closes when every request is answered, or when the patience is over. In milliseconds. */
  stop(patience: number): void {
    this.options.input.off('data', this.dataArrived);
    setTimeout(() => void this.close(), patience).unref();
    this.finishInput();
  }

  private readonly dataArrived = (chunk: Buffer): void => this.reader.push(chunk);

  private readonly inputDone = (): void => {
    if (!this.inputEnded) this.reader.end();
    this.finishInput();
  };

  private finishInput(): void {
    if (this.inputEnded) return;
    this.inputEnded = true;
    this.options.onEnd?.();
    this.closeWhenAnswered();
  }

  /** The reader has gone (EPIPE): nobody is left to answer. */
  private readonly outputLost = (): void => {
    void this.close();
  };

  private receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.answerError(null, ErrorCode.ParseError, 'The line is not JSON. Send each message as one line of JSON.');
      return;
    }
    if (isNotification(message) && !this.isHeard(message)) return;
    if (isJSONRPCRequest(message)) {
      const problem = this.options.refuse?.(message.method, message.params);
      if (problem !== undefined) {
        this.answerError(message.id, ErrorCode.InvalidParams, problem);
        return;
      }
      this.waiting.add(message.id);
      this.onmessage?.(message);
    } else if (isJSONRPCNotification(message)) {
      this.onmessage?.(message);
      // The SDK does not answer a request that was cancelled.
      if (message.method === 'notifications/cancelled') this.settle(message.params?.requestId);
    } else if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this.onmessage?.(message);
    } else {
      const wrong = Array.isArray(message)
        ? 'Batches are not part of this protocol'
        : 'This is no JSON-RPC 2.0 message';
      this.answerError(
        idOf(message),
        ErrorCode.InvalidRequest,
        `${wrong}. Send {"jsonrpc":"2.0","id":…,"method":…,"params":{…}}.`,
      );
    }
  }

  /**
   * Whether anything listens. The SDK looks at every message in four ways, which takes it a tenth of a millisecond, and
   * lets those go that it knows nothing of: a client that sends a hundred thousand would keep everybody waiting.
   */
  private isHeard({ method, params }: Notification): boolean {
    switch (method) {
      case 'notifications/initialized': {
        const first = !this.initialized;
        this.initialized = true;
        return first;
      }
      case 'notifications/cancelled': {
        const id = params?.requestId;
        return (typeof id === 'string' || typeof id === 'number') && this.waiting.has(id);
      }
      default:
        // No request of ours asks for progress.
        return false;
    }
  }

  private answerError(id: RequestId | null, code: ErrorCode, message: string): void {
    this.lastWrite = this.write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  private write(message: object): Promise<void> {
    return new Promise((resolve) => {
      // A failed write also raises `error` on the stream, which closes us.
      this.options.output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  private settle(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.waiting.delete(id);
    this.closeWhenAnswered();
  }

  private closeWhenAnswered(): void {
    if (this.inputEnded && this.waiting.size === 0) void this.close();
  }
}

interface Notification {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

function isNotification(message: unknown): message is Notification {
  if (typeof message !== 'object' || message === null || 'id' in message || !('method' in message)) return false;
  const { method, params } = message as { readonly method: unknown; readonly params?: unknown };
  const version = 'jsonrpc' in message ? message.jsonrpc : undefined;
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  return version === '2.0' && typeof method === 'string' && (params === undefined || isObject);
}

/** The id of something that is no valid request, where it has one that can be answered to. */
function idOf(message: unknown): RequestId | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null;
  const { id } = message;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null;
}
