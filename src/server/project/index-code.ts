import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { invalidInput, SvcError, unavailable } from '../base/errors';
import { cut, oneLine, quoted } from '../base/text';
import type { StoreFile } from '../db/store-file';
import { type BuildReport, buildGraph } from '../graph/build-graph';
import { openGraph } from '../graph/open-graph';
import { openReaders } from '../graph/source-readers';
import { linkOlderMemories } from '../memory/link-older';
import { analyzeLines } from '../memory/text/analyze';
import { graphFile } from './code-graph';
import { graphRoot } from './graph-root';
import { locateStore, type Surroundings } from './locate';
import { makeFolder, type OpenProject, openProject } from './open';

export interface IndexOptions extends Omit<OpenProject, 'place' | 'graphRoot'> {
  readonly around: Surroundings;
  /** The folder to build; where it is missing, the project's. */
  readonly path: string | undefined;
  readonly assets: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface IndexReport extends BuildReport {
  readonly root: string;
  readonly graph: string;
  /** Links that memories stored before have now. */
  readonly linked: number;
  readonly seconds: number;
}

/** Beside the built programs: a thread of the build. */
const WORKER = 'svc-index-worker.bundle.js';

/** Builds the code graph of a folder, and links the memories of its store to what is in it. */
export async function indexCode(options: IndexOptions): Promise<IndexReport> {
  const { around, path, assets, signal, onProgress } = options;
  const started = performance.now();
  const root = path === undefined ? graphRoot(around) : folderAt(resolve(around.cwd, path));
  if (isSame(root, around.home)) {
    throw invalidInput(
      'This is the home directory, which is no project',
      'Run "svc build" in the folder of a project, or give that folder',
    );
  }
  const file = graphFile(root);
  await makeFolder(file);
  const graph = await openForBuilding(file);
  let report: BuildReport;
  try {
    report = await buildGraph(graph, {
      root,
      openReaders: (files) => openReaders({ root, assets }, join(assets, WORKER), files),
      termsOf: (text) => {
        const { words, stems } = analyzeLines(text);
        return stems === '' ? words : `${words} ${stems}`;
      },
      clock: options.clock ?? Date.now,
      signal,
      onProgress,
    });
  } finally {
    await graph.close();
  }
  const linked = report.interrupted ? 0 : await linkMemories(root, options);
  return { root, graph: file, ...report, linked, seconds: (performance.now() - started) / 1000 };
}

/** @throws SvcError unavailable with the remedy that fits a file which can be made anew */
async function openForBuilding(file: string): Promise<StoreFile> {
  try {
    return await openGraph(file, true);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw unavailable(
      `The code graph ${cut(oneLine(file), 300)} cannot be used: it is damaged, newer than this program, or may not be written`,
      'Delete it and run "svc build" again; it holds nothing that cannot be built anew',
    );
  }
}

async function linkMemories(root: string, options: IndexOptions): Promise<number> {
  const place = locateStore({ ...options.around, cwd: root });
  if (place.root === undefined || !isSame(place.root, root) || !statSync(place.path, { throwIfNoEntry: false })) {
    return 0;
  }
  const project = await openProject({ ...options, place });
  try {
    return await project.write(linkOlderMemories);
  } finally {
    await project.close();
  }
}

/** @throws SvcError invalid_input */
function folderAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw invalidInput(`${quoted(path)} is no folder`, 'Give the folder whose code is to be indexed');
}

function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    // A home directory need not exist.
    return false;
  }
}
