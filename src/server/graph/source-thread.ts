/** Types of the messages to a thread that reads sources. */
import type { Extracted, ExtractOptions } from './extract';
import type { Language } from './language';
import { isHasty, type ParseFailure } from './parse-limit';
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

export function openSourceThread(
  options: Pick<OpenThread<SourceThreadTask>, 'assets' | 'busy' | 'idleMs' | 'limits' | 'lost'>,
): SourceThread {
  const most = (): number => (isHasty(options.lost) ? HASTY_STUCK_MS : STUCK_PROCESSOR_MS);
  return openThread({ ...options, program: PROGRAM, most, lookMs: LOOK_MS });
}

/** The one that has the least to do. There is one at least. */
export function leastWaiting(threads: readonly SourceThread[]): SourceThread {
  return threads.reduce((least, one) => (one.waiting() < least.waiting() ? one : least));
}
