import { parentPort, workerData } from 'node:worker_threads';
import { openParser } from '../graph/parser';
import { readBatch } from '../graph/read-batch';
import type { WorkerAnswer, WorkerStart, WorkerTask } from '../graph/source-readers';
import { codeTerms } from '../project/code-terms';

/** A thread of `svc build`: takes apart one batch of files after the other. */

// What source-readers starts this thread with.
const { root, assets } = workerData as WorkerStart;
const parser = openParser(assets);
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', (task: WorkerTask) => {
  before = before.then(async () => {
    const read = await readBatch({ parser, root, termsOf: codeTerms }, task.batch);
    parentPort?.postMessage({ id: task.id, read } satisfies WorkerAnswer);
  });
});
