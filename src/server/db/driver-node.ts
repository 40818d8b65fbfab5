/** The driver on Node's own SQLite. */
import type { Worker } from 'node:worker_threads';
import { BUSY_TIMEOUT_MS, type DriverError } from './driver-errors';
import type { Driver, Handle, OpenHandle } from './drivers';
import { dropSpare, forget, giveBack, startAhead, takeThread } from './node-threads';
import type { Answer, Request } from './node-worker';
import type { SqlParameters, Statement } from './sql';

/** Node's own SQLite, each connection in a thread of its own: a statement that takes long keeps nobody waiting. */

/** At most this many threads may run statements whose callers have gone. */
const MAX_ABANDONED = 4;

/** SQLite's names of what a caller can cause. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  18: 'SQLITE_TOOBIG',
  21: 'SQLITE_MISUSE',
  26: 'SQLITE_NOTADB',
};
/** The rest of a code says more than callers need. */
const PRIMARY_CODE = 0xff;

/** @param leaveFolder see `wantDriver` */
export function nodeDriver(leaveFolder: (() => void) | undefined): Driver {
  startAhead();
  return {
    name: 'node',
    async open(options: OpenHandle): Promise<Handle> {
      const handle = new NodeHandle(options, leaveFolder);
      await handle.open();
      return handle;
    },
  };
}

/** A call that has no answer yet. */
interface Call {
  readonly request: Request;
  readonly owner: unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: DriverError) => void;
}

class NodeHandle implements Handle {
  private thread: Worker | undefined;
  /** In the order in which they were made, the one that runs now first. */
  private readonly calls: Call[] = [];
  /** The lasting settings of the connection, which its replacement needs, too. */
  private readonly settings: Request[] = [];
  private readonly opening: Request;

  constructor(
    options: OpenHandle,
    private leaveFolder: (() => void) | undefined,
  ) {
    this.opening = { do: 'open', ...options, busyTimeoutMs: BUSY_TIMEOUT_MS };
  }

  async open(): Promise<void> {
    this.thread = this.start();
    try {
      await this.call(this.opening);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  all(sql: string, parameters: SqlParameters, owner?: unknown): Promise<unknown[]> {
    return this.call({ do: 'all', sql, parameters }, owner) as Promise<unknown[]>;
  }

  run(sql: string, parameters: SqlParameters): Promise<number> {
    return this.call({ do: 'run', sql, parameters }) as Promise<number>;
  }

  batch(statements: readonly Statement[]): Promise<number[]> {
    return this.call({ do: 'batch', statements }) as Promise<number[]>;
  }

  async script(sql: string): Promise<void> {
    const request: Request = { do: 'script', sql };
    await this.call(request);
    this.settings.push(request);
  }

  /**
   * Nothing outside a thread can stop its statement. So the thread is left to end by itself, and the waiting calls
   * continue in another one. A connection that may be inside a transaction ends.
   */
  interrupt(owner?: unknown): void {
    const [running] = this.calls;
    if (!running || !this.thread || running.owner !== owner || abandoned.size >= MAX_ABANDONED) return;
    abandon(this.thread);
    this.thread = undefined;
    this.calls.shift();
    running.reject(named('interrupted', 'SQLITE_INTERRUPT'));
    if (owner === undefined) this.end();
    else this.startAgain([this.opening, ...this.settings]);
  }

  async close(): Promise<void> {
    if (!this.thread) return;
    try {
      await this.call({ do: 'close' });
      if (this.calls.length > 0) return;
      giveBack(this.thread);
      this.thread = undefined;
    } finally {
      this.end();
    }
  }

  private call(request: Request, owner?: unknown): Promise<unknown> {
    const { thread } = this;
    if (!thread) return Promise.reject(named('closed', 'SQLITE_MISUSE'));
    return new Promise((resolve, reject) => {
      this.calls.push({ request, owner, resolve, reject });
      thread.ref();
      thread.postMessage(request);
    });
  }

  private start(): Worker {
    const thread = takeThread();
    thread.on('message', (answer: Answer) => this.settle(answer));
    thread.on('error', (error: NodeJS.ErrnoException) => {
      const leaveFolder = error.syscall === 'uv_cwd' ? this.leaveFolder : undefined;
      if (!leaveFolder) return this.end(error);
      // Once, or a thread that fails again would be started for ever.
      this.leaveFolder = undefined;
      leaveFolder();
      dropSpare();
      this.startAgain([]);
    });
    return thread;
  }

  private settle(answer: Answer): void {
    const call = this.calls.shift();
    // An idle connection keeps no process from ending.
    if (this.calls.length === 0) this.thread?.unref();
    if ('value' in answer) call?.resolve(answer.value);
    else call?.reject(named(answer.problem, NAMES[(answer.number ?? 0) & PRIMARY_CODE]));
  }

  /** @param first the requests to send before the waiting ones */
  private startAgain(first: readonly Request[]): void {
    const waiting = this.calls.splice(0);
    this.thread = this.start();
    // Where one fails, the calls behind it say so.
    for (const request of first) this.call(request).catch(() => undefined);
    for (const { request, owner, resolve, reject } of waiting) this.call(request, owner).then(resolve, reject);
  }

  private end(error: DriverError = named('closed', 'SQLITE_MISUSE')): void {
    const { thread } = this;
    this.thread = undefined;
    if (thread) forget(thread);
    void thread?.terminate();
    for (const call of this.calls.splice(0)) call.reject(error);
  }
}

/** Threads whose statement still runs, although its caller has gone. */
const abandoned = new Set<Worker>();

function abandon(thread: Worker): void {
  if (abandoned.size === 0) process.on('exit', endHard);
  abandoned.add(thread);
  forget(thread);
  // As soon as the statement ends.
  void thread.terminate().then(() => {
    abandoned.delete(thread);
    if (abandoned.size === 0) process.off('exit', endHard);
  });
  // Which the process does not wait for.
  thread.unref();
}

/** A process that exits waits for its threads, and these may never end. What was acknowledged is in the file. */
function endHard(): void {
  process.kill(process.pid, 'SIGKILL');
}

function named(message: string, code: string | undefined): DriverError {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
