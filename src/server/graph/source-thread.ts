/** Types of the messages to a thread that reads sources. */
import type { Extracted, ExtractOptions } from './extract';
import type { Language } from './language';
import { isHasty, type LostTime, noTimeLost, type ParseFailure } from './parse-limit';
import type { ReadBatch, SourceTask } from './read-batch';
import { type OpenThread, openThread, type ReadingThread } from './reading-thread';

/** What a thread that takes sources apart is asked, and what it answers. */

export type SourceThreadTask =
  | { readonly root: string; readonly batch: readonly SourceTask[] }
  | { readonly text: string; readonly language: Language; readonly options: ExtractOptions | undefined };

export type SourceThreadAnswer = { readonly read: ReadBatch } | { readonly extracted: Extracted | ParseFailure };

export type SourceThread = ReadingThread<SourceThreadTask, SourceThreadAnswer>;

const PROGRAM = 'svc-index-worker.bundle.js';
const LOOK_MS = 500;
/** It ends each file by itself after a few seconds. One that used so much more of the processor is stuck in it. */
export const STUCK_PROCESSOR_MS = 12_000;
/** The same after much time was lost. */
const HASTY_STUCK_MS = 5_000;

/** Threads that share the processor, and the time that is lost. */
export interface SourceThreads {
  /** One at least. They start with their first tasks. */
  readonly threads: readonly SourceThread[];
  readonly lost: LostTime;
  /** How many of them are at work. */
  busy(): number;
  close(): Promise<void>;
}

type OpenSourceThread = Pick<OpenThread<SourceThreadTask>, 'assets' | 'busy' | 'idleMs' | 'limits' | 'lost'>;

export function openSourceThreads(
  count: number,
  options: Pick<OpenSourceThread, 'assets' | 'idleMs' | 'limits'>,
): SourceThreads {
  const busy = (): number => threads.filter((thread) => thread.waiting() > 0).length;
  const lost = noTimeLost();
  const threads = Array.from({ length: count }, () => openSourceThread({ ...options, busy, lost }));
  const close = async (): Promise<void> => {
    await Promise.all(threads.map((thread) => thread.close()));
  };
  return { threads, lost, busy, close };
}

function openSourceThread(options: OpenSourceThread): SourceThread {
  const most = (): number => (isHasty(options.lost) ? HASTY_STUCK_MS : STUCK_PROCESSOR_MS);
  return openThread({ ...options, program: PROGRAM, most, lookMs: LOOK_MS });
}

/** The one that has the least to do. There is one at least. */
export function leastWaiting(threads: readonly SourceThread[]): SourceThread {
  return threads.reduce((least, one) => (one.waiting() < least.waiting() ? one : least));
}
