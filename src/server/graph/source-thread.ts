/** Types of the messages to a thread that reads sources. */
import type { Extracted } from './extract';
import type { Language } from './language';
import type { ParseFailure } from './parse-limit';
import type { ReadBatch, SourceTask } from './read-batch';
import { type OpenThread, openThread, type ReadingThread } from './reading-thread';

/** What a thread that takes sources apart is asked, and what it answers. */

export type SourceThreadTask =
  | { readonly root: string; readonly batch: readonly SourceTask[] }
  | { readonly text: string; readonly language: Language };

export type SourceThreadAnswer = { readonly read: ReadBatch } | { readonly extracted: Extracted | ParseFailure };

export type SourceThread = ReadingThread<SourceThreadTask, SourceThreadAnswer>;

const PROGRAM = 'svc-index-worker.bundle.js';
const LOOK_MS = 500;
/** It ends each file by itself after a few seconds. One that used so much more of the processor is stuck in it. */
const STUCK_PROCESSOR_MS = 12_000;

export function openSourceThread(
  options: Pick<OpenThread<SourceThreadTask>, 'assets' | 'busy' | 'idleMs' | 'limits'>,
): SourceThread {
  return openThread({ ...options, program: PROGRAM, most: () => STUCK_PROCESSOR_MS, lookMs: LOOK_MS });
}
