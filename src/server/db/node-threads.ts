/** The pool of threads in which Node's own SQLite runs. */
import { Worker } from 'node:worker_threads';
import { serveConnection } from './node-worker';

/** Threads that hold a connection each. Starting one takes longer than most calls do, so two are kept ahead. */

const SOURCE = `(${serveConnection.toString()})()`;
/** Some versions of Node call their SQLite an experiment. */
const FLAGS = ['--disable-warning=ExperimentalWarning'];
/** A store takes two. */
const MAX_SPARE = 2;

const spare: Worker[] = [];

export function startAhead(): void {
  while (spare.length < MAX_SPARE) keep(start());
}

export function takeThread(): Worker {
  const thread = spare.shift() ?? start();
  thread.removeAllListeners('error');
  return thread;
}

/** One whose connection was closed serves the next one. */
export function giveBack(thread: Worker): void {
  forget(thread);
  if (spare.length < MAX_SPARE) keep(thread);
  else void thread.terminate();
}

/** Those that were started in a folder that was deleted may fail yet. */
export function dropSpare(): void {
  for (const thread of spare.splice(0)) void thread.terminate();
}

/** Takes its listeners away; those that Node adds itself have to stay. */
export function forget(thread: Worker): void {
  for (const event of ['message', 'error']) thread.removeAllListeners(event);
}

function start(): Worker {
  return new Worker(SOURCE, { eval: true, execArgv: FLAGS, name: 'sqlite' });
}

function keep(thread: Worker): void {
  spare.push(thread);
  // It keeps no process from ending, and one that fails is not missed.
  thread.unref();
  thread.on('error', () => {
    const at = spare.indexOf(thread);
    if (at >= 0) spare.splice(at, 1);
  });
}
