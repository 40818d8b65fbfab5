import { dataVersion, watchDatabase } from '../db/watch';
import { graphFile } from './code-graph';
import type { Project } from './open';

/** What any process may have changed: the store, or the code graph beside it. */
export type ChangedPart = 'memory' | 'graph';

export interface ProjectWatch {
  /** Looks now instead of when the file system tells. */
  check(): Promise<void>;
  close(): void;
}

/** After a write has been told of, so that a burst of writes is one change. */
const SETTLE_MS = 60;
/** Changes are told at most this often. */
const REST_MS = 250;
/** Looking without having been told: the file system tells most of it, and not everywhere. */
const SLOW_POLL_MS = 5_000;
const POLL_MS = 800;

/**
 * Tells within a second what any process changed in the project's files. Costs a watch on the folder and now and then
 * one PRAGMA.
 */
export function watchProject(project: Project, onChange: (what: readonly ChangedPart[]) => void): ProjectWatch {
  const graphVersion = graphVersions(project);
  let closed = false;
  let known: readonly [string, string] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let rested = 0;
  let looking: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    const now = [String(await dataVersion(project.store)), await graphVersion()] as const;
    if (closed) return;
    const before = known;
    known = now;
    if (!before) return;
    const what: ChangedPart[] = [];
    if (before[0] !== now[0]) what.push('memory');
    if (before[1] !== now[1]) what.push('graph');
    if (what.length > 0) onChange(what);
  };
  const check = (): Promise<void> => {
    // A store that cannot be read just now is told of by whoever needs it.
    looking = looking.then(() => (closed ? undefined : look())).catch(() => undefined);
    return looking;
  };
  const schedule = (ms: number): void => {
    const at = performance.now() + ms;
    if (closed || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => {
      due = Number.POSITIVE_INFINITY;
      rested = performance.now() + REST_MS;
      void check().then(() => schedule(watches.every((watch) => watch.told) ? SLOW_POLL_MS : POLL_MS));
    }, ms).unref();
  };
  const wake = (): void => schedule(Math.max(SETTLE_MS, rested - performance.now()));
  const paths = [project.place.path, ...(project.graph ? [graphFile(project.graph.root)] : [])];
  const watches = paths.map((path) => watchDatabase(path, wake));
  void check();
  schedule(POLL_MS);
  return {
    check,
    close() {
      closed = true;
      clearTimeout(timer);
      for (const watch of watches) watch.close();
    },
  };
}

/** Another one when the graph was written, built anew, or deleted. */
function graphVersions(project: Project): () => Promise<string> {
  let before: unknown;
  let opened = 0;
  return async () => {
    const graph = await project.graph?.current();
    // What one connection says of its version says nothing about the next one's.
    if (graph !== before) opened += 1;
    before = graph;
    return graph ? `${opened}:${await dataVersion(graph)}` : 'none';
  };
}
