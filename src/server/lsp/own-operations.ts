/** What a window has done, and its undoing. */
import { conflict, type SvcError } from '../base/errors';
import { doneAt } from '../memory/history/operations-of';
import type { Project } from '../project/open';
import { type Share, shareAgain, type Unshared, unshare } from '../project/shared-along';
import { isInPlace } from '../project/whole-step';
import { type RefusedCall, refused, type ToolAnswer } from '../tools/call-tool';
import type { Folder } from './folder';

interface OwnOperation {
  /** When and by which process it was done: after a restore, its number may be that of something else. */
  readonly stamp: string | undefined;
  /** What was shared along with it: to be taken back before it. */
  readonly shares: readonly Share[];
  /** Of an undoing, what it has taken out of the repository: to be shared again after it is taken back. */
  readonly unshared: readonly Unshared[];
}

/** Of each folder, by number. */
const known = new WeakMap<Folder, Map<number, OwnOperation>>();

/** Notes an operation of this window. It was done, so nothing of this fails. */
export async function noteOwn(
  folder: Folder,
  { memory, log }: Project,
  operation: number,
  { shares = [], unshared = [] }: Partial<Omit<OwnOperation, 'stamp'>> = {},
): Promise<void> {
  const own = known.get(folder) ?? new Map<number, OwnOperation>();
  known.set(folder, own);
  try {
    own.set(operation, { stamp: await doneAt(memory, operation), shares, unshared });
  } catch (error) {
    log(`operation ${operation} was not noted: ${String(error)}`);
  }
}

/** The operation by which a memory was shared along with what this window did to it. */
export function shareAlong(folder: Folder, operation: number): number | undefined {
  return known.get(folder)?.get(operation)?.shares.at(-1)?.operation;
}

/** Whether the store has something else under the number of what this window did, as after a restore. */
export async function isOther(folder: Folder, { memory }: Project, operation: number): Promise<boolean> {
  const own = known.get(folder)?.get(operation);
  return own !== undefined && own.stamp !== (await doneAt(memory, operation));
}

/**
 * Takes back what this window did, with what was shared along.
 * @param isRead whether the number was read from the store, as it is now, and not given by a call
 */
export async function undoOwn(
  folder: Folder,
  project: Project,
  undo: (operation: number) => Promise<ToolAnswer>,
  { operation, isRead }: { readonly operation: number; readonly isRead: boolean },
): Promise<ToolAnswer> {
  const isReplaced = await isOther(folder, project, operation);
  if (isReplaced && !isRead) return refused(isSomethingElse());
  // What took the place of a shared memory and its sharing are one step, which the store takes back by the latter.
  const step = isReplaced ? undefined : stepIn(folder, operation);
  if (step && (await isInPlace(project, step.share))) {
    const answer = await undo(step.share);
    return answer.ok ? { ...answer, value: { ...(answer.value as object), undone: step.operation } } : answer;
  }
  const { shares = [], unshared: before = [] } = (!isReplaced && known.get(folder)?.get(operation)) || {};
  const { unshared, refused: kept } = await unshare<RefusedCall>(project, undo, shares);
  const answer = kept ?? (await undo(operation));
  if (!answer.ok) {
    await shareAgain(project, undo, unshared);
    return answer;
  }
  const again = await shareAgain(project, undo, before);
  if (answer.operation !== undefined) {
    await noteOwn(folder, project, answer.operation, { shares: again, unshared });
  }
  return answer;
}

/** What this window did, and the sharing that came with it, by the number of either. */
function stepIn(folder: Folder, asked: number): { readonly operation: number; readonly share: number } | undefined {
  for (const [operation, { shares }] of known.get(folder) ?? []) {
    const share = shares.at(-1)?.operation;
    if (share !== undefined && (operation === asked || share === asked)) return { operation, share };
  }
  return undefined;
}

function isSomethingElse(): SvcError {
  return conflict(
    'The store was replaced since',
    'Nothing was changed. The history of a memory has what can be undone',
  );
}
