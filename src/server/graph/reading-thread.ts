/** Runs a worker thread, and replaces it when it is stuck. */
import { join } from 'node:path';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import { unavailable } from '../base/errors';
import { type LostTime, type ParseFailure, processTime } from './parse-limit';

/** A worker thread that takes texts apart. One that does not answer is ended, and another takes its place. */

/** What a thread gets when it starts. */
export interface ThreadStart {
  readonly assets: string;
  /** Where it notes what it is at: the number of the task, and the index of the file in it. */
  readonly place: Int32Array;
  readonly lost: LostTime | undefined;
}

export interface AskedThread<Task> {
  readonly id: number;
  readonly task: Task;
}

export interface AnsweredThread<Answer> {
  readonly id: number;
  /** `ended`: nothing can be parsed there after this file, and the thread waits for its end. */
  readonly answer: { readonly done: Answer } | { readonly error: unknown } | { readonly ended: ParseFailure };
  /** It has memory that it cannot give back. */
  readonly spent: boolean;
}

/** The thread was ended while it was at this file of the task. */
export class EndedAt extends Error {
  constructor(
    readonly file: number,
    readonly reason: ParseFailure,
  ) {
    super(reason);
  }
}

export interface ReadingThread<Task, Answer> {
  /** How many tasks wait for an answer. */
  waiting(): number;
  /** @throws EndedAt */
  ask(task: Task): Promise<Answer>;
  close(): Promise<void>;
}

export interface OpenThread<Task> {
  /** The folder with the thread's own program, and what that reads. */
  readonly assets: string;
  readonly program: string;
  /** How many threads of this process are at work. */
  readonly busy: () => number;
  /** How long it may keep a processor busy with one file, in milliseconds. */
  readonly most: (task: Task) => number;
  /** How often that is looked at, in milliseconds. */
  readonly lookMs: number;
  /** The thread ends after this time without a task. */
  readonly idleMs?: number;
  readonly limits?: ResourceLimits;
  /** Of the run that the thread works for. */
  readonly lost?: LostTime | undefined;
}

/** Whatever it waits for, a thread that is at a file for so long is stuck in it. */
const STUCK_MS = 120_000;

interface Waiting<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Running {
  readonly worker: Worker;
  readonly place: Int32Array;
}

export function openThread<Task, Answer>(options: OpenThread<Task>): ReadingThread<Task, Answer> {
  const { assets, program, busy, most, lookMs, idleMs, lost, limits = {} } = options;
  // In the order in which they are worked on.
  const waiting = new Map<number, Waiting<Task, Answer>>();
  let ids = 0;
  let running: Running | undefined;
  let looking: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Running => {
    const place = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const workerData: ThreadStart = { assets, place, lost };
    // Loaded by the first text that is taken apart: a hook that reads none is waited for.
    const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
    const worker = new Worker(join(assets, program), { workerData, resourceLimits: limits });
    const started: Running = { worker, place };
    worker.on('message', (answered: AnsweredThread<Answer>) => {
      if (running === started) settle(answered);
    });
    worker.on('error', (error: Error & { code?: string }) => {
      if (running !== started) return;
      const reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'needs too much memory' : 'cannot be parsed';
      if (!endAt(reason)) rejectAll(error);
    });
    return started;
  };

  const settle = ({ id, answer, spent }: AnsweredThread<Answer>): void => {
    if ('ended' in answer) {
      endAt(answer.ended);
      return;
    }
    const asked = waiting.get(id);
    waiting.delete(id);
    if ('error' in answer) asked?.reject(answer.error);
    else asked?.resolve(answer.done);
    if (spent) renew();
    if (waiting.size === 0) rest();
  };

  const renew = (): void => {
    void running?.worker.terminate();
    running = undefined;
    if (waiting.size === 0) return;
    running = start();
    for (const [id, { task }] of waiting) running.worker.postMessage({ id, task } satisfies AskedThread<Task>);
  };

  /** Ends the thread where it is at a file; the tasks behind that one go to the next. @returns false where it is not */
  const endAt = (reason: ParseFailure): boolean => {
    const [first] = waiting;
    if (!first || !running || Atomics.load(running.place, 0) !== first[0]) return false;
    const [id, { reject }] = first;
    const file = Atomics.load(running.place, 1);
    waiting.delete(id);
    renew();
    reject(new EndedAt(file, reason));
    if (waiting.size === 0) rest();
    return true;
  };

  const rejectAll = (error: unknown): void => {
    const all = [...waiting.values()];
    waiting.clear();
    renew();
    rest();
    for (const { reject } of all) reject(error);
  };

  /** A thread that has nothing to do keeps no process alive. */
  const rest = (): void => {
    clearInterval(looking);
    looking = undefined;
    running?.worker.unref();
    if (idleMs !== undefined) idle ??= setTimeout(() => renew(), idleMs).unref();
  };

  const look = (): void => {
    let seen: { place: string; since: number; used: number } | undefined;
    looking ??= setInterval(() => {
      const place = String(running?.place);
      const used = processTime();
      const since = performance.now();
      const [first] = waiting.values();
      if (place !== seen?.place) seen = { place, since, used };
      else if (first && (used - seen.used > most(first.task) * busy() || since - seen.since > STUCK_MS))
        endAt('takes too long');
    }, lookMs).unref();
  };

  return {
    waiting: () => waiting.size,
    ask: (task) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle);
        idle = undefined;
        const id = ++ids;
        waiting.set(id, { task, resolve, reject });
        running ??= start();
        running.worker.ref();
        running.worker.postMessage({ id, task } satisfies AskedThread<Task>);
        look();
      }),
    async close() {
      const last = running;
      running = undefined;
      rejectAll(unavailable('The program ends, so this source was not read', 'Ask again once it runs'));
      clearTimeout(idle);
      await last?.worker.terminate();
    },
  };
}
