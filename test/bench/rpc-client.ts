import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const NEWLINE = 0x0a;
/** A server that does not end by itself when its input does is ended. */
const PATIENCE_MS = 10_000;

interface Answer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
}

/**
 * An MCP client on a server's standard streams that does next to nothing, so that what is measured is the server: no
 * validation, one `JSON.parse` an answer, no limit on its size.
 */
export class RpcClient {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readonly waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  private pieces: Buffer[] = [];
  private nextId = 1;
  private errors = '';

  constructor(script: string, cwd: string, env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [script], { cwd, env: { PATH: process.env.PATH ?? '', ...env } });
    this.child.stdout?.on('data', (chunk: Buffer) => this.read(chunk));
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errors = `${this.errors}${chunk}`.slice(-10_000);
    });
    // A server that has ended no longer reads; `exited` says so.
    this.child.stdin?.on('error', () => {});
    this.exited = new Promise((done) => {
      this.child.on('close', () => {
        for (const { reject } of this.waiting.values()) reject(new Error(`${script} has ended. ${this.errors}`));
        done();
      });
    });
  }

  async handshake(): Promise<void> {
    const clientInfo = { name: 'bench', version: '1.0.0' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** The text of a tool's answer. @throws {Error} with that text when the tool refused */
  async text(tool: string, parameters: object): Promise<string> {
    return (await this.call(tool, parameters)).content[0]?.text ?? '';
  }

  /** The structured content of a tool's answer. The caller states its shape. */
  async value<Value>(tool: string, parameters: object): Promise<Value> {
    return (await this.call(tool, parameters)).structuredContent as Value;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** What the process keeps in memory, in bytes. Undefined where the system has no /proc. */
  residentBytes(): number | undefined {
    return this.bytesOf('VmRSS');
  }

  /** The most that it has kept in memory. */
  peakBytes(): number | undefined {
    return this.bytesOf('VmHWM');
  }

  /** Ends the server by closing its input, and resolves when it is gone. */
  async close(): Promise<void> {
    const patience = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE_MS);
    this.child.stdin?.end();
    await this.exited;
    clearTimeout(patience);
  }

  private bytesOf(what: 'VmRSS' | 'VmHWM'): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      return Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  private async call(tool: string, parameters: object): Promise<ToolResult> {
    const answer = await this.request('tools/call', { name: tool, arguments: parameters });
    // Every server here answers a call in the shape of the protocol; another one fails right below.
    const result = answer as unknown as ToolResult;
    if (result.isError) throw new Error(`${tool}: ${result.content[0]?.text}`);
    return result;
  }

  private async request(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const id = this.nextId++;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
    if (answer.error || !answer.result) throw new Error(`${method}: ${answer.error?.message ?? 'no result'}`);
    return answer.result;
  }

  private send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  private read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.pieces.push(chunk.subarray(start, end));
      this.receive(Buffer.concat(this.pieces).toString());
      this.pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) this.pieces.push(chunk.subarray(start));
  }

  private receive(line: string): void {
    const answer = JSON.parse(line) as Answer;
    if (answer.id === undefined) return;
    this.waiting.get(answer.id)?.resolve(answer);
    this.waiting.delete(answer.id);
  }
}
