/** Notices the changes that any process makes to a project. */

import { fileOf } from '../../store-place/store-place';
import { watchDatabase } from '../db/watch';
import { headCommit } from '../git/head-commit';
import { stateOfReferences } from '../git/state-of-references';
import { graphFile } from './code-graph';
import type { Project } from './open';
import { watchFolder } from './watch-folder';

/** What any process may have changed: the store, or the code graph beside it. */
export type ChangedPart = 'memory' | 'graph';

export interface ProjectWatch {
  /**
   * Looks now, without waiting for the file system to report a change. References are left to the next look of its own while
   * HEAD is the same commit: each write asks, and there may be a thousand of their folders.
   */
  check(): Promise<void>;
  /** Looks in a moment, once for all that is told until then. */
  wake(): void;
  close(): void;
}

/** After a write has been noticed, so that a burst of writes is one change. */
const SETTLE_MS = 60;
/** Changes are reported at most this often. */
const REST_MS = 250;
/** How often to look without a report: file systems report most changes, but not all of them. */
const SLOW_POLL_MS = 5_000;
const POLL_MS = 800;

/**
 * Tells within a second what any process changed in the project's files. Costs a watch on the folder and now and then
 * one PRAGMA, and a look at HEAD and at the folders of references.
 * @param onChange called with no part, too, when another commit is checked out or was made, and when a branch came, went or
 * moved: code that is as before may be judged otherwise by it
 */
export function watchProject(project: Project, onChange: (what: readonly ChangedPart[]) => void): ProjectWatch {
  const graphVersion = graphVersions(project);
  let closed = false;
  let known: readonly [version: string, graph: string, head: string, references: string] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let rested = 0;
  let looking: Promise<void> = Promise.resolve();

  const look = async (isAsked: boolean): Promise<void> => {
    // A copy does not change, but its original does. A store that disappears or comes back counts as changed.
    const { store, shared } = project;
    await store.look({ withLog: true });
    if (!store.left) await shared.refresh();
    const version = project.isOld() ? 'old' : store.left ? 'left' : `${await store.changes()}:${shared.version}`;
    const root = project.graph?.root;
    const head = root === undefined ? '' : `${headCommit(root)}`;
    const isLeft = isAsked && known?.[2] === head;
    // With another HEAD at once, so that a commit, which moves its branch, is one change.
    const references = isLeft ? known?.[3] : root && (await stateOfReferences(root));
    const now = [version, await graphVersion(), head, references ?? ''] as const;
    if (closed) return;
    const before = known;
    known = now;
    if (!before) return;
    const what: ChangedPart[] = [];
    if (before[0] !== now[0]) what.push('memory');
    if (before[1] !== now[1]) what.push('graph');
    const isOtherPast = before[2] !== now[2] || before[3] !== now[3];
    // Where nobody tells of what Git writes, as in a work tree whose repository is elsewhere.
    if (isOtherPast) project.past?.forget();
    if (what.length > 0 || isOtherPast) onChange(what);
  };
  const lookNext = (isAsked: boolean): Promise<void> => {
    // A store that cannot be read just now is reported by the next call that needs it.
    looking = looking.then(() => (closed ? undefined : look(isAsked))).catch(() => undefined);
    return looking;
  };
  // The system reports nothing about a folder that was deleted with the store.
  const isTold = (): boolean => !project.store.left && watches.every((watch) => watch.told);
  const schedule = (ms: number): void => {
    const at = performance.now() + ms;
    if (closed || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => {
      due = Number.POSITIVE_INFINITY;
      rested = performance.now() + REST_MS;
      void lookNext(false).then(() => schedule(isTold() ? SLOW_POLL_MS : POLL_MS));
    }, ms).unref();
  };
  const wake = (): void => schedule(Math.max(SETTLE_MS, rested - performance.now()));
  const paths = [fileOf(project.place), ...(project.graph ? [graphFile(project.graph.root)] : [])];
  const watches = paths.map((path) => watchDatabase(path, wake));
  const { folder } = project.shared;
  const files = folder === undefined ? undefined : watchFolder(folder, wake);
  void lookNext(false);
  schedule(POLL_MS);
  return {
    check: () => lookNext(true),
    wake,
    close() {
      closed = true;
      clearTimeout(timer);
      for (const watch of watches) watch.close();
      files?.close();
    },
  };
}

/** Another one when the graph was written, rebuilt, or deleted. */
function graphVersions(project: Project): () => Promise<string> {
  let before: unknown;
  let opened = 0;
  return async () => {
    const graph = await project.graph?.current();
    // What one connection says of its version says nothing about the next one's.
    if (graph !== before) opened += 1;
    before = graph;
    return graph ? `${opened}:${await graph.changes()}` : 'none';
  };
}
