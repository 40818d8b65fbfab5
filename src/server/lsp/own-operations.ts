/** What a window has done, as its undoing needs it. */
import { conflict } from '../base/errors';
import { doneAt } from '../memory/history/operations-of';
import type { Project } from '../project/open';
import { takeShared } from '../project/shared-along';
import type { Folder } from './folder';

interface OwnOperation {
  /** When and by which process it was done: after a restore, its number may be that of something else. */
  readonly stamp: string | undefined;
  /** What was shared along with it, in that order. */
  readonly shares: readonly number[];
}

/** Of each folder, by number. */
const known = new WeakMap<Folder, Map<number, OwnOperation>>();

export async function noteOwn(folder: Folder, { place, memory }: Project, operation: number): Promise<void> {
  const shares = takeShared(place.root ?? '');
  const own = known.get(folder) ?? new Map<number, OwnOperation>();
  known.set(folder, own.set(operation, { stamp: await doneAt(memory, operation), shares }));
}

/**
 * What was shared along with what this window did, and is to be taken back before it.
 * @throws SvcError conflict where the store was replaced since, and the number is that of something else
 */
export async function sharesOf(folder: Folder, { memory }: Project, operation: number): Promise<readonly number[]> {
  const own = known.get(folder)?.get(operation);
  if (!own) return [];
  if (own.stamp === (await doneAt(memory, operation))) return own.shares;
  known.get(folder)?.delete(operation);
  throw conflict('The store was replaced since', 'Nothing was changed. The history of a memory has what can be undone');
}
