import { parentPort, workerData } from 'node:worker_threads';
import { openParser } from '../graph/parser';
import { readSource } from '../graph/read-source';
import type { WorkerAnswer, WorkerStart, WorkerTask } from '../graph/source-readers';

/** A thread of `svc build`: takes apart one file after the other. */

// What source-readers starts this thread with.
const { root, assets } = workerData as WorkerStart;
const parser = openParser(assets);
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', (task: WorkerTask) => {
  before = before.then(async () => {
    const source = await readSource(parser, root, task.path, task.known);
    parentPort?.postMessage({ id: task.id, source } satisfies WorkerAnswer);
  });
});
