/** Reads sources in several threads. */
import { availableParallelism } from 'node:os';
import { type LostTime, loseTime } from './parse-limit';
import type { ReadBatch, SkippedSource, SourceTask } from './read-batch';
import { contentHashOf } from './read-source';
import { EndedAt } from './reading-thread';
import {
  leastWaiting,
  openSourceThreads,
  type SourceThread,
  type SourceThreads,
  STUCK_PROCESSOR_MS,
} from './source-thread';

/** Reads and takes apart sources, several batches at once. */
export interface SourceReaders {
  /** How many calls keep it busy. */
  readonly parallel: number;
  read(batch: readonly SourceTask[]): Promise<ReadBatch>;
  close(): Promise<void>;
}

/** Below this a second thread's start, with its grammars, costs more than it brings. */
const FILES_WORTH_THREADS = 100;
const MOST_THREADS = 8;
/** So that a thread has its next batch before it is done with the last. */
const TASKS_PER_THREAD = 2;
/** What a batch leaves behind is garbage. More room for it saves little time, and is taken from the system in each thread. */
const YOUNG_MB = 12;

export interface OpenReaders {
  readonly root: string;
  /** The folder of the built programs. */
  readonly assets: string;
  /** Threads that outlive it; without them it has its own. */
  readonly shared?: SourceThreads | undefined;
}

/** @param files how many there are to read */
export function openReaders({ root, assets, shared }: OpenReaders, files: number): SourceReaders {
  const { threads, lost, close } = shared ?? ownThreads(assets, files);
  return {
    parallel: threads.length * TASKS_PER_THREAD,
    read: (batch) => readBy(leastWaiting(threads), { root, batch, lost }),
    close: async () => {
      if (!shared) await close();
    },
  };
}

function ownThreads(assets: string, files: number): SourceThreads {
  const count = files < FILES_WORTH_THREADS ? 1 : Math.min(availableParallelism(), MOST_THREADS);
  return openSourceThreads(count, { assets, limits: { maxYoungGenerationSizeMb: YOUNG_MB } });
}

interface ReadBy {
  readonly root: string;
  readonly batch: readonly SourceTask[];
  readonly lost: LostTime;
}

async function readBy(thread: SourceThread, { root, batch, lost }: ReadBy): Promise<ReadBatch> {
  const skipped: SkippedSource[] = [];
  let rest = batch;
  for (;;) {
    try {
      const answer = await thread.ask({ root, batch: rest });
      if (!('read' in answer)) throw new Error('A batch was answered with a text');
      return { ...answer.read, skipped: [...answer.read.skipped, ...skipped] };
    } catch (error) {
      const file = error instanceof EndedAt ? rest[error.file] : undefined;
      if (!(error instanceof EndedAt) || !file) throw error;
      const { path, size, modified_ms } = file;
      // Whatever else ends a thread is counted there.
      if (error.reason === 'takes too long') loseTime(lost, STUCK_PROCESSOR_MS);
      skipped.push({ path, size, modified_ms, reason: error.reason, content_hash: contentHashOf(root, path) ?? '' });
      rest = rest.filter((one) => one !== file);
    }
  }
}
