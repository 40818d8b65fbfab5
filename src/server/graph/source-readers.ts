import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { openParser } from './parser';
import { type ReadSource, readSource } from './read-source';

/** Reads and takes apart sources, several at once. */
export interface SourceReaders {
  /** How many calls keep it busy. */
  readonly parallel: number;
  /** @param known the hash of the file's content when it was read before */
  read(path: string, known: string | undefined): Promise<ReadSource>;
  close(): Promise<void>;
}

/** What a worker thread is told once. */
export interface WorkerStart {
  readonly root: string;
  readonly assets: string;
}

export interface WorkerTask {
  readonly id: number;
  readonly path: string;
  readonly known: string | undefined;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly source: ReadSource;
}

/** Below this a thread's start, with its grammars, costs more than it brings. */
const FILES_WORTH_THREADS = 100;
const MOST_THREADS = 8;
/** So that a thread has its next file before it is done with the last. */
const TASKS_PER_THREAD = 3;
const FILES_AT_ONCE = 4;

/** @param program the script of the worker thread */
export function openReaders(start: WorkerStart, program: string, files: number): SourceReaders {
  if (files < FILES_WORTH_THREADS) {
    const parser = openParser(start.assets);
    return {
      parallel: FILES_AT_ONCE,
      read: (path, known) => readSource(parser, start.root, path, known),
      close: async () => {},
    };
  }
  return openThreads(start, program, Math.min(availableParallelism(), MOST_THREADS));
}

interface Waiting {
  readonly resolve: (source: ReadSource) => void;
  readonly reject: (error: Error) => void;
}

function openThreads(start: WorkerStart, program: string, count: number): SourceReaders {
  const threads = Array.from({ length: count }, () => {
    const worker = new Worker(program, { workerData: start });
    const waiting = new Map<number, Waiting>();
    worker.on('message', ({ id, source }: WorkerAnswer) => {
      waiting.get(id)?.resolve(source);
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
    read: (path, known) =>
      new Promise((resolve, reject) => {
        const thread = threads.reduce((least, one) => (one.waiting.size < least.waiting.size ? one : least));
        const id = ++tasks;
        thread.waiting.set(id, { resolve, reject });
        thread.worker.postMessage({ id, path, known } satisfies WorkerTask);
      }),
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
