import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { invalidInput } from '../base/errors';
import { quoted } from '../base/text';
import { type BuildReport, buildGraph } from '../graph/build-graph';
import { openReaders } from '../graph/source-readers';
import { type GraphChanges, noChanges, readFact, writeFact } from '../graph/write-graph';
import { graphFile, requireGraphFile } from './code-graph';
import { codeTerms } from './code-terms';
import { type FollowedCode, followCode } from './follow-code';
import { graphRoot, graphRootOf } from './graph-root';
import { isSame, locateStore, type StorePlace, type Surroundings } from './locate';
import { makeFolder, type OpenProject, openProject } from './open';

export interface IndexOptions extends Omit<OpenProject, 'place' | 'graphRoot'> {
  readonly around: Surroundings;
  /** The folder to build, in a project or by itself; where it is missing, the project's. */
  readonly path: string | undefined;
  readonly assets: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number, share: number) => void;
}

export interface IndexReport extends BuildReport, FollowedCode {
  readonly root: string;
  readonly graph: string;
  readonly seconds: number;
}

/** Beside the built programs: a thread of the build. */
const WORKER = 'svc-index-worker.bundle.js';

/** Builds the code graph of a folder; the memories of its store follow their symbols and are linked to new ones. */
export async function indexCode(options: IndexOptions): Promise<IndexReport> {
  const { around, path, assets, signal, onProgress } = options;
  const started = performance.now();
  const { root, below } =
    path === undefined
      ? { root: graphRoot(around), below: '' }
      : graphRootOf(around, folderAt(resolve(around.cwd, path)));
  if (isSame(root, around.home)) {
    throw invalidInput(
      'This is the home directory, which is no project',
      'Run "svc build" in the folder of a project, or give that folder',
    );
  }
  const file = graphFile(root);
  await makeFolder(file);
  const graph = await requireGraphFile(file, true);
  let report: BuildReport;
  let followed: FollowedCode = { linked: 0, reanchored: 0 };
  try {
    const store = storeOf(root, options);
    const before = await readFact(graph, FOLLOWED);
    // Where other memories are to follow, or none did so far, everything counts as new.
    const changes = store && before === store.path ? noChanges() : undefined;
    await writeFact(graph, FOLLOWED, '');
    report = await buildGraph(graph, {
      root,
      below,
      openReaders: (files) => openReaders({ root, assets, program: join(assets, WORKER), termsOf: codeTerms }, files),
      clock: options.clock ?? Date.now,
      signal,
      onProgress,
      changes,
    });
    if (store && !report.interrupted) {
      followed = await follow({ ...options, place: store }, changes);
      await writeFact(graph, FOLLOWED, store.path);
    }
  } finally {
    await graph.close();
  }
  return { root, graph: file, ...report, ...followed, seconds: (performance.now() - started) / 1000 };
}

/** Name of the fact that says which store's memories follow all that the graph holds; empty while a build is under way. */
const FOLLOWED = 'followed_by';

/** The store whose memories are about this root; undefined when there is none yet. */
function storeOf(root: string, options: IndexOptions): StorePlace | undefined {
  const place = locateStore({ ...options.around, cwd: root });
  const isThere = statSync(place.path, { throwIfNoEntry: false }) !== undefined;
  return isThere && place.root !== undefined && isSame(place.root, root) ? place : undefined;
}

async function follow(options: OpenProject, changes: GraphChanges | undefined): Promise<FollowedCode> {
  const project = await openProject(options);
  try {
    return await followCode(project, changes);
  } finally {
    await project.close();
  }
}

/** @throws SvcError invalid_input */
function folderAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw invalidInput(`${quoted(path)} is no folder`, 'Give the folder whose code is to be indexed');
}
