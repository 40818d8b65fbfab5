/** What took the place of a shared memory was stored and shared in one step, and goes as one. */
import { isThere } from '../base/paths';
import { lastOperation } from '../memory/history/undo';
import { operationBefore, undoneShare } from '../memory/history/undone-share';
import type { Memory } from '../memory/memory';
import { namespaceNumber } from '../memory/namespaces';
import type { Project } from './open';
import { requireAsWritten } from './share';

/** What is taken back together. */
export interface WholeStep {
  /** The sharing, or one that does it again. */
  readonly share: number;
  /** Stored or kept what took the place of a shared memory, and would hold beside it. */
  readonly before: number | undefined;
  /** Ids of those. */
  readonly in_place_of: readonly string[];
  /** The file, which is as it was written; undefined where it is not there now. */
  readonly path: string | undefined;
}

/**
 * What goes with an operation when that takes back the sharing of what took the place of a shared memory.
 * @param asked as `undo` takes it
 * @throws SvcError conflict where the file is not as it was written
 */
export async function wholeStepOf(
  project: Project,
  memory: Memory,
  asked: number | undefined,
): Promise<WholeStep | undefined> {
  const { sql, scope } = memory;
  const { folder } = project.shared;
  if (folder === undefined || !isThere(folder)) return undefined;
  const share = asked ?? (await lastOperation(memory, await namespaceNumber(sql, scope.namespace)))?.id;
  const found = share === undefined ? undefined : await undoneShare(sql, share);
  // What takes such a place is shared by itself.
  const [node] = found?.nodes ?? [];
  if (share === undefined || !found?.stands || !node || node.in_place_of.length === 0) return undefined;
  await requireAsWritten(project, scope.namespace, node);
  const before = await operationBefore(sql, found.operation, node.node);
  return { share, before, in_place_of: node.in_place_of, path: project.shared.fileOf(node.id) };
}
