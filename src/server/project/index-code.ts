/** Builds the code graph of a folder, and links its memories. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { locateStore, type Surroundings } from '../../store-place/locate';
import { fileOf, type StorePlace } from '../../store-place/store-place';
import { invalidInput, notFound, wrongUsage } from '../base/errors';
import { isSame } from '../base/paths';
import { unlessInCircle } from '../base/store-at';
import { quoted } from '../base/text';
import { type FollowedCode, followCode } from '../code/follow-code';
import { type BuildReport, buildGraph } from '../graph/build-graph';
import { sourceFiles } from '../graph/source-files';
import { openReaders } from '../graph/source-readers';
import { type GraphChanges, noChanges, readFact, writeFact } from '../graph/write-graph';
import { linkedPlaces } from '../memory/code/linked-places';
import type { Memory } from '../memory/memory';
import { graphFile, requireGraphFile } from './code-graph';
import { graphRoot, graphRootOf } from './graph-root';
import { keepOutOfGit } from './keep-out-of-git';
import { type OpenProject, openProject } from './open';

export interface IndexOptions extends Omit<OpenProject, 'place' | 'graphRoot' | 'home'> {
  readonly around: Surroundings;
  /** The folder to build, inside a project or not; default: the folder of the project. */
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
      'This is the home directory, not a project',
      'Run "svc build" in the folder of a project, or pass that folder',
    );
  }
  const file = graphFile(root);
  const store = storeOf(root, options);
  // Nobody wants a folder of ours in a place that was taken for a project. A linked work tree has a store without one.
  const isProject = store !== undefined || statSync(dirname(file), { throwIfNoEntry: false }) !== undefined;
  if (!isProject && sourceFiles(root, below).files.length === 0) {
    throw notFound(
      `There are no source files in ${quoted(root)}, so no code graph was built`,
      'Run "svc build" in the folder of a project, or pass that folder',
    );
  }
  const graph = await requireGraphFile(root, { home: around.home, git: options.git }, true);
  keepOutOfGit(file, options.log);
  let report: BuildReport;
  let followed: FollowedCode = { linked: 0, reanchored: 0 };
  try {
    const before = await readFact(graph, FOLLOWED);
    // Where other memories are to follow, or none did so far, everything counts as new.
    const changes = store && before === fileOf(store) ? noChanges() : undefined;
    await writeFact(graph, FOLLOWED, '');
    report = await buildGraph(graph, {
      root,
      below,
      openReaders: (files) => openReaders({ root, assets, shared: options.threads }, files),
      clock: options.clock ?? Date.now,
      signal,
      onProgress,
      changes,
    });
    if (store && !report.interrupted) {
      const links = await readFact(graph, LINKS);
      const { state, ...kept } = await follow({ ...options, home: around.home, place: store }, changes, links);
      followed = kept;
      await writeFact(graph, LINKS, state);
      await writeFact(graph, FOLLOWED, fileOf(store));
    }
  } finally {
    await graph.close();
  }
  return { root, graph: file, ...report, ...followed, seconds: (performance.now() - started) / 1000 };
}

/** Name of the fact that says which store's memories follow all that the graph holds; empty while a build is under way. */
const FOLLOWED = 'followed_by';
/** Of the fact that tells the links that followed from others, which were imported, pulled or stored since. */
const LINKS = 'followed_links';

/** The store whose memories are about this root; undefined before it exists. */
function storeOf(root: string, options: IndexOptions): StorePlace | undefined {
  const place = locateStore({ ...options.around, cwd: root });
  const isThere = unlessInCircle(() => statSync(fileOf(place), { throwIfNoEntry: false })) !== undefined;
  return isThere && place.root !== undefined && isSame(place.root, root) ? place : undefined;
}

/** @param before the state of the links that followed last */
async function follow(
  options: OpenProject,
  changes: GraphChanges | undefined,
  before: string | undefined,
): Promise<FollowedCode & { readonly state: string }> {
  const project = await openProject(options);
  try {
    // Nothing is written to a store that is only read.
    if (project.access !== 'own') return { linked: 0, reanchored: 0, state: '' };
    await project.shared.refresh();
    const state = await linksState(project.memory);
    const followed = await followCode(project, changes, state === before ? 'known' : 'new');
    return { ...followed, state: followed.linked === 0 ? state : await linksState(project.memory) };
  } finally {
    await project.close();
  }
}

async function linksState(memory: Memory): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify(await linkedPlaces(memory)))
    .digest('hex');
}

/** @throws SvcError invalid_input */
function folderAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw wrongUsage(`${quoted(path)} is not a folder`, 'Give the folder whose code you want to index');
}
