/** The code graph of a project, while others may rebuild or delete it. */
import { realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STORE_FOLDER, STORE_NAME } from '../../store-place/locate';
import { urlOf } from '../../store-place/store-place';
import { SvcError, unavailable } from '../base/errors';
import type { Log } from '../base/log';
import { isThere, realPlace } from '../base/paths';
import { unlessInCircle } from '../base/store-at';
import { shownPath } from '../base/text';
import type { CodeGraph } from '../code/handle';
import { stateOf } from '../db/private-copy';
import type { Store } from '../db/store';
import { GRAPH_MIGRATIONS } from '../graph/migrations/index';
import { GRAPH_NAME, openGraph } from '../graph/open-graph';
import { knownAt, rememberStore } from './known-stores';
import { makeFolder } from './make-folder';
import { accessTo, type FileKind, type Lying, type Owner, openCopy, requirePlace } from './store-access';

export function graphFile(root: string): string {
  return join(root, STORE_FOLDER, GRAPH_NAME);
}

export function codeGraph(root: string, owner: Owner, log: Log): CodeGraph {
  const path = graphFile(root);
  let identity: string | undefined;
  let opened: Promise<OpenedGraph | undefined> = Promise.resolve(undefined);
  let problem: SvcError | undefined;
  let isOld = (): boolean => false;
  const close = async (): Promise<void> => {
    const before = opened;
    identity = undefined;
    opened = Promise.resolve(undefined);
    await (await before)?.close();
  };
  return {
    root,
    async current() {
      const now = graphIdentity(path);
      if (now !== identity || isOld()) {
        const before = opened;
        identity = now;
        isOld = () => false;
        problem = undefined;
        opened = before.then(async (old) => {
          // What was read is no longer asked for, whatever its closing says.
          await old?.close().catch((error: unknown) => log(`the code graph: ${String(error)}`));
          if (now === undefined) return undefined;
          const state = stateOf(path);
          const graph = await open(root, owner, log);
          if (graph instanceof SvcError) {
            problem = graph;
            // Somebody may have been in the middle of writing it.
            isOld = () => stateOf(path) !== state;
            return undefined;
          }
          isOld = graph.isOld;
          return graph;
        });
      }
      return (await opened)?.store;
    },
    problem: () => problem,
    close,
  };
}

interface OpenedGraph {
  readonly store: Store;
  /** What is read is a copy of one that was changed since. */
  readonly isOld: () => boolean;
  close(): Promise<void>;
}

const GRAPH_FILE: FileKind = {
  migrations: GRAPH_MIGRATIONS,
  ids: 'graph_facts',
  what: 'code graph',
  // The graph itself does not say; the memories beside it do.
  madeHere: async (path, { home }) => knownAt(home, join(dirname(path), STORE_NAME)) !== undefined,
};

function lying(root: string): Lying {
  return { url: urlOf(graphFile(root)), kind: 'project', root };
}

/** A graph is derived: one that cannot be read is no reason to refuse what can be done without it. */
async function open(root: string, owner: Owner, log: Log): Promise<OpenedGraph | SvcError> {
  const path = graphFile(root);
  try {
    const access = await accessTo(lying(root), GRAPH_FILE, owner);
    if (access === 'own') {
      const store = await openOwn(root, owner, false);
      return { store, isOld: () => false, close: () => store.close() };
    }
    if (access === 'foreign') {
      const problem = foreignGraph(path);
      log(problem.message);
      return problem;
    }
    const { store, isOld, remove } = await openCopy(path, GRAPH_FILE, access);
    return { store, isOld, close: () => store.close().finally(remove) };
  } catch (error) {
    log(`the code graph is not used; delete it and run "svc build": ${error instanceof Error ? error.message : ''}`);
    return unusableGraph(path);
  }
}

/** The graph of a root, to be written. What came with a repository is derived from who knows what: it is made again. */
function openOwn(root: string, owner: Owner, create: boolean): Promise<Store> {
  const path = graphFile(root);
  const made = (id: string): void => {
    rememberStore(owner.home, { path: realpathSync(path), id, how: 'made', what: GRAPH_FILE.what }, owner.clock);
  };
  return openGraph(path, create, { table: GRAPH_FILE.ids, made });
}

/**
 * For what cannot be done without it.
 * @param create makes it where it is missing, and again where it came with a repository
 * @throws SvcError unavailable with the remedy of a file that can be made again
 */
export async function requireGraphFile(root: string, owner: Owner, create: boolean): Promise<Store> {
  const path = graphFile(root);
  while (isThere(path)) {
    const judged = whichFile(path);
    const access = await accessTo(lying(root), GRAPH_FILE, owner).catch(unusable(path));
    if (access === 'own') break;
    if (access !== 'foreign') throw unusableGraph(path);
    if (!create) throw foreignGraph(path);
    // Another process may have put its own in that one's place meanwhile.
    if (whichFile(path) === judged) removeGraph(path);
  }
  if (!isThere(path)) requirePlace(lying(root));
  if (create) makeFolder(path);
  return openOwn(root, owner, create).catch(unusable(path));
}

/** What is wrong with a file that can be made again matters less than that it can. */
function unusable(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof SvcError ? unusableGraph(path) : error;
  };
}

/**
 * Lets a run that has a home of its own use the graph that a person's home knows.
 * @returns ends that: a graph that only the run knows is taken away, because nobody else may use it
 */
export function lendGraph(root: string, homes: { readonly of: string; readonly to: string }): () => void {
  const path = realPlace(graphFile(root));
  const known = knownAt(homes.of, path);
  if (known) rememberStore(homes.to, known);
  return () => {
    const now = knownAt(homes.to, path);
    if (now && now.id !== known?.id) removeGraph(path);
  };
}

/** At once: a process that makes its own meanwhile would lose it. */
function removeGraph(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}

function foreignGraph(path: string): SvcError {
  return unavailable(
    `The code graph ${shownPath(path)} was not built on this machine, so it is not used`,
    'Build your own with "svc build", which replaces it',
  );
}

export function unusableGraph(file: string): SvcError {
  return unavailable(
    `The code graph ${shownPath(file)} cannot be used: it is damaged, newer than this program, or may not be written`,
    'Delete it and run "svc build" again. Everything in it can be rebuilt',
  );
}

/** The number of a file that was deleted may be given out again at once, so the time of its making counts, too. */
function whichFile(path: string): string | undefined {
  const stats = unlessInCircle(() => statSync(path, { throwIfNoEntry: false }));
  return stats && `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}

/** Of one that holds something already. */
function graphIdentity(path: string): string | undefined {
  const stats = unlessInCircle(() => statSync(path, { throwIfNoEntry: false }));
  return stats?.size ? whichFile(path) : undefined;
}
