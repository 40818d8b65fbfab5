/** What took the place of a shared memory was stored and shared in one step, and goes as one. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isThere } from '../base/paths';
import { operationBefore, undoneShare } from '../memory/history/undone-share';
import type { Project } from './open';
import type { Share } from './shared-along';

/** A sharing, and what was done right before it. */
export interface WholeStep {
  /** Stored or kept what was shared then. */
  readonly operation: number;
  readonly share: Share;
}

/**
 * The step of which an operation, when it is taken back, takes back only the sharing: what took the place of a shared memory
 * would hold beside it then.
 */
export async function wholeStepOf({ store, shared }: Project, operation: number): Promise<WholeStep | undefined> {
  if (shared.folder === undefined || !isThere(shared.folder)) return undefined;
  const share = await undoneShare(store, operation);
  const path = share && shared.fileOf(share.id);
  if (!share || path === undefined || share.in_place_of.length === 0) return undefined;
  const before = await operationBefore(store, share);
  return before === undefined ? undefined : { operation: before, share: { operation, paths: [path] } };
}

const part = new AsyncLocalStorage<true>();

/** Takes back a part of a step, the rest of which is taken back by whoever calls. */
export function asPartOfStep<T>(work: () => Promise<T>): Promise<T> {
  return part.run(true, work);
}

export function isPartOfStep(): boolean {
  return part.getStore() === true;
}
