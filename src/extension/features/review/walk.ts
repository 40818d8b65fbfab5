/** One walk through what waits. */
import type { Place } from '../../memories';
import { comingAfter } from './coming-after';
import type { Decision } from './decided-words';
import type { Progress } from './review-header';

/** What is gone through: the ids of memories that wait now, in the order in which they are listed. */
export interface Queue {
  readonly place: Place;
  /** Tells queues apart. */
  readonly key: string;
  /** That lists it. */
  readonly view: 'agentMemory.review' | 'agentMemory.beforeCommit';
  waiting(): Promise<readonly string[]>;
  /** Says that nothing waits. */
  tellNothing(): void;
}

export interface Decided {
  readonly nodeId: string;
  readonly decision: Decision;
  /** What takes it back, once it is stored. */
  readonly operation: Promise<number | null>;
  /** Whether it made a file of the repository. */
  readonly inFile?: boolean;
}

/** One key: a decision, or that there will be one later. */
export type Step = Decided | { readonly nodeId: string; readonly decision: 'later' };

/** One walk through a queue, until its diff is closed. */
export interface Walk {
  readonly queue: Queue;
  /** As it was at the start, and what came since. */
  readonly order: string[];
  /** In their order, each memory once. */
  readonly steps: Step[];
}

/** Those that nobody has looked at in it, the next one first. */
export function coming({ order, steps }: Walk, nodeId: string | undefined): readonly string[] {
  return comingAfter(order, nodeId, new Set(steps.map((one) => one.nodeId)));
}

export function decidedIn({ steps }: Walk): readonly Decided[] {
  return steps.filter((step): step is Decided => step.decision !== 'later');
}

/** Where the next key is in it. */
export function progressOf({ steps, order }: Walk): Progress {
  return { position: steps.length + 1, count: Math.max(order.length, steps.length + 1) };
}

export function forget({ steps }: Walk, nodeId: string): void {
  steps.splice(0, steps.length, ...steps.filter((one) => one.nodeId !== nodeId));
}

/** What was settled elsewhere meanwhile waits no more; what came is last. */
export async function renew(walk: Walk): Promise<void> {
  const ids = await walk.queue.waiting();
  const decided = new Set(decidedIn(walk).map(({ nodeId }) => nodeId));
  const still = walk.order.filter((id) => ids.includes(id) || decided.has(id));
  const fresh = ids.filter((id) => !walk.order.includes(id));
  walk.order.splice(0, walk.order.length, ...still, ...fresh);
  // What was left for later and settled somewhere else is left no more.
  const steps = walk.steps.filter(({ decision, nodeId }) => decision !== 'later' || ids.includes(nodeId));
  walk.steps.splice(0, walk.steps.length, ...steps);
}
