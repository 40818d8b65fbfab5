import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { TermsOf } from './graph-rows';
import { openParser } from './parser';
import { type ReadBatch, readBatch, type SourceTask } from './read-batch';

/** Reads and takes apart sources, several batches at once. */
export interface SourceReaders {
  /** How many calls keep it busy. */
  readonly parallel: number;
  read(batch: readonly SourceTask[]): Promise<ReadBatch>;
  close(): Promise<void>;
}

/** What a worker thread is told once. */
export interface WorkerStart {
  readonly root: string;
  readonly assets: string;
}

export interface WorkerTask {
  readonly id: number;
  readonly batch: readonly SourceTask[];
}

export interface WorkerAnswer {
  readonly id: number;
  readonly read: ReadBatch;
}

/** Below this a thread's start, with its grammars, costs more than it brings. */
const FILES_WORTH_THREADS = 100;
const MOST_THREADS = 8;
/** So that a thread has its next batch before it is done with the last. */
const TASKS_PER_THREAD = 2;
/** What a batch leaves behind is garbage: with room for it, it is hardly ever moved. */
const YOUNG_MB = 48;

export interface OpenReaders extends WorkerStart {
  /** The script of the worker thread, which makes its terms itself. */
  readonly program: string;
  readonly termsOf: TermsOf;
}

/** @param files how many there are to read */
export function openReaders({ root, assets, program, termsOf }: OpenReaders, files: number): SourceReaders {
  if (files < FILES_WORTH_THREADS) {
    const parser = openParser(assets);
    return { parallel: 1, read: (batch) => readBatch({ parser, root, termsOf }, batch), close: async () => {} };
  }
  return openThreads({ root, assets }, program, Math.min(availableParallelism(), MOST_THREADS));
}

interface Waiting {
  readonly resolve: (read: ReadBatch) => void;
  readonly reject: (error: Error) => void;
}

function openThreads(start: WorkerStart, program: string, count: number): SourceReaders {
  const threads = Array.from({ length: count }, () => {
    const worker = new Worker(program, { workerData: start, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const waiting = new Map<number, Waiting>();
    worker.on('message', ({ id, read }: WorkerAnswer) => {
      waiting.get(id)?.resolve(read);
      waiting.delete(id);
    });
    worker.on('error', (error) => {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
    return { worker, waiting };
  });
  let tasks = 0;
  return {
    parallel: count * TASKS_PER_THREAD,
    read: (batch) =>
      new Promise((resolve, reject) => {
        const thread = threads.reduce((least, one) => (one.waiting.size < least.waiting.size ? one : least));
        const id = ++tasks;
        thread.waiting.set(id, { resolve, reject });
        thread.worker.postMessage({ id, batch } satisfies WorkerTask);
      }),
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
