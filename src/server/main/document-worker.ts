/** The main of a thread that cuts documents into sections. */
import { parentPort, workerData } from 'node:worker_threads';
import type { AnsweredThread, AskedThread, ThreadStart } from '../graph/reading-thread';
import type { DocumentAnswer, DocumentTask } from '../ingest/document-reader';
import { MAX_SECTIONS, sectionsOf } from '../ingest/sections';

/** A thread that cuts documents into sections, one after the other. */

// What reading-thread starts this thread with.
const { place } = workerData as ThreadStart;

parentPort?.on('message', ({ id, task }: AskedThread<DocumentTask>) => {
  Atomics.store(place, 0, id);
  parentPort?.postMessage({ id, answer: answerTo(task), spent: false } satisfies AnsweredThread<DocumentAnswer>);
});

function answerTo({ text, name }: DocumentTask): AnsweredThread<DocumentAnswer>['answer'] {
  try {
    const sections = sectionsOf(text, name);
    return { done: sections.length > MAX_SECTIONS ? 'too many sections' : sections };
  } catch (error) {
    // Of the stack, which is too small for what is nested without an end.
    return error instanceof RangeError ? { done: 'cannot be parsed' } : { error };
  }
}
