/** Starts a garbage collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor?: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Collects the garbage of this thread. @param everything also what V8 keeps for possible reuse */
export function collectGarbage(everything: boolean): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  collect({ type: 'major', execution: 'sync', ...(everything ? { flavor: 'last-resort' } : {}) });
}
