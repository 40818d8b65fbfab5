/** What took the place of a shared memory was stored and shared in one step, and goes as one. */
import { conflict } from '../base/errors';
import { shownId } from '../base/shown';
import { lastOperation } from '../memory/history/undo';
import { operationBefore, replacedSince, type SharedNode, undoneShare } from '../memory/history/undone-share';
import type { Memory } from '../memory/memory';
import { namespaceNumber } from '../memory/namespaces';
import type { Project } from './open';
import { mayHaveShared, requireAsWritten, wasEdited } from './share';
import { unreadFileOf } from './unread-shared';

/** What is taken back together. */
export interface WholeStep {
  /** The sharing, or one that does it again. */
  readonly share: number;
  /** Stored or kept what took the place of a shared memory, and would hold beside it. */
  readonly before: number | undefined;
  /** Ids of those. */
  readonly in_place_of: readonly string[];
  /** The file, which is as it was written. */
  readonly path: string;
}

/**
 * What goes with an operation when that takes back the sharing of what took the place of a shared memory.
 * @param asked as `undo` takes it
 * @throws SvcError conflict in a folder that is not accepted, where a file was changed since it was shared or is not there, or
 *   where what was replaced is not there
 */
export async function wholeStepOf(
  project: Project,
  memory: Memory,
  asked: number | undefined,
): Promise<WholeStep | undefined> {
  const { sql, scope } = memory;
  const { shared } = project;
  if (!mayHaveShared(project)) return undefined;
  const share = asked ?? (await lastOperation(memory, await namespaceNumber(sql, scope.namespace)))?.id;
  const found = share === undefined ? undefined : await undoneShare(sql, share);
  // Its files here are not those that were written, as in another working tree.
  if (found && shared.foreign) throw conflict('Nobody has accepted the shared memories of this folder', ACCEPT_FIRST);
  if (share === undefined || !found) return undefined;
  const paths: string[] = [];
  for (const each of found.shares && found.stands ? found.nodes : []) {
    const path = shared.fileOf(each.id);
    const unread = path === undefined ? unreadFileOf(project, each.id) : undefined;
    // With a conflict of a merge in it, say.
    if (unread) throw wasEdited(unread.path);
    // On a branch that has it, it would be shared again, with a row of the store below it that nobody sees.
    if (path === undefined) throw conflict(`The file of ${shownId(each.id)} is not here`, ON_ITS_BRANCH);
    // So it would where somebody has edited the file since.
    await requireAsWritten(project, scope.namespace, each);
    paths.push(path);
  }
  // What takes such a place is shared by itself.
  const [node] = found.nodes;
  if (!node || node.in_place_of.length === 0) return undefined;
  if (found.shares !== found.stands) throw conflict(`Operation ${share} was already undone`, SEE_HISTORY);
  if (!found.shares) {
    await requireInPlace(project, memory, share, node);
    return undefined;
  }
  const before = await operationBefore(sql, found.operation, node.node);
  return { share, before, in_place_of: node.in_place_of, path: paths[0] ?? '' };
}

/** Whether an operation has shared what took the place of a shared memory. */
export async function isInPlace({ store }: Pick<Project, 'store'>, operation: number): Promise<boolean> {
  const share = await undoneShare(store, operation);
  return share?.nodes.some(({ in_place_of }) => in_place_of.length > 0) ?? false;
}

const ACCEPT_FIRST =
  'Nothing was changed. Undo it in the working tree where they were shared, or accept them first: "svc-memory trust"';
const ON_ITS_BRANCH =
  'Nothing was changed. If it is on another branch, undo it there; "restore" brings back a file that was removed';
const SEE_HISTORY = 'Nothing was changed. "history" of the memory has what can be undone';

/** What took a place takes it again only where the other one is there, and open to that. @throws SvcError conflict */
async function requireInPlace(
  { shared }: Pick<Project, 'shared'>,
  { sql }: Memory,
  undoing: number,
  { in_place_of }: SharedNode,
): Promise<void> {
  const replaced = await replacedSince(sql, undoing, in_place_of);
  const gone = in_place_of.filter((id) => !shared.has(id) || replaced.has(id));
  if (gone.length > 0) throw conflict(`${gone.map(shownId).join(', ')} changed since`, SEE_HISTORY);
}
