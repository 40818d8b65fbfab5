/** The main of a thread that reads sources. */
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { codeTerms } from '../code/code-terms';
import { type Extract, extract } from '../graph/extract';
import { isTooSlow, LeftOut, loseTime, type ParseFailure, threadTime } from '../graph/parse-limit';
import { openParser } from '../graph/parser';
import { readBatch } from '../graph/read-batch';
import type { AnsweredThread, AskedThread, ThreadStart } from '../graph/reading-thread';
import type { SourceThreadAnswer, SourceThreadTask } from '../graph/source-thread';
import { collectGarbage } from './collect-garbage';

/** A thread that reads sources: it takes apart one batch of files, or one text, after the other. */

/** More than the largest sources that people write leave behind. */
const SPENT_BYTES = 64 * 1024 * 1024;

/** Most trees have no more. Where a build has more of them, they come one after another. */
const MOST_GRAMMARS = 2;

/** V8 lets garbage grow to hundreds of megabytes in each thread: it is left alone while the whole process has less. */
const ROOM_BYTES = 200 * 1024 * 1024;
/** And while this thread has less. */
const FEW_BYTES = 36 * 1024 * 1024;
/** Collecting costs as much time as there is left after it, which must not happen for little. */
const WORTHWHILE_GROWTH = 1.5;

/** Nothing can be parsed here after this source. */
class Broken extends Error {
  constructor(readonly reason: ParseFailure) {
    super(reason);
  }
}

// What reading-thread starts this thread with.
const { assets, place, lost } = workerData as ThreadStart;
const parser = openParser(assets);
let before: Promise<void> = Promise.resolve();
let kept = 0;

parentPort?.on('message', ({ id, task }: AskedThread<SourceThreadTask>) => {
  before = before.then(async () => {
    const answer = await answerTo(id, task).then(
      (done) => ({ done }),
      (error: unknown) => (error instanceof Broken ? { ended: error.reason } : { error }),
    );
    tidyUp();
    const spent =
      parser.memory() > SPENT_BYTES || (parser.grammars() > MOST_GRAMMARS && process.memoryUsage.rss() > ROOM_BYTES);
    parentPort?.postMessage({ id, answer, spent } satisfies AnsweredThread<SourceThreadAnswer>);
    // What it is at is looked up when that is read.
    if ('ended' in answer) await new Promise(() => {});
  });
});

function tidyUp(): void {
  if (getHeapStatistics().used_heap_size < Math.max(FEW_BYTES, kept * WORTHWHILE_GROWTH)) return;
  // Asked last: it takes as long as a small source.
  if (process.memoryUsage.rss() < ROOM_BYTES) return;
  collectGarbage(false);
  kept = getHeapStatistics().used_heap_size;
}

async function answerTo(id: number, task: SourceThreadTask): Promise<SourceThreadAnswer> {
  // Before the number of the task, so that no file of the last one is taken for one of this.
  Atomics.store(place, 1, 0);
  Atomics.store(place, 0, id);
  if ('text' in task) {
    const { text, language, options } = task;
    return { extracted: await takeApart(text, language, options).catch(reasonOf) };
  }
  const begin = (file: number): void => void Atomics.store(place, 1, file);
  return { read: await readBatch({ extract: takeApart, root: task.root, termsOf: codeTerms, begin }, task.batch) };
}

const takeApart: Extract = (text, language, options) => {
  const before = threadTime();
  return extract(parser, text, language, { ...options, lost }).catch((error: unknown) => {
    if (!(error instanceof LeftOut)) throw error;
    if (lost) loseTime(lost, threadTime() - before);
    throw isTooSlow(error.reason) ? error : new Broken(error.reason);
  });
};

function reasonOf(error: unknown): ParseFailure {
  if (error instanceof LeftOut) return error.reason;
  throw error;
}
