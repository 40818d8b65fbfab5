/** Finds the folder whose code the code graph holds. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { locateStore, type Surroundings } from '../../store-place/locate';
import { gitRoot } from '../base/paths';
import { isKept } from '../graph/source-files';
import { graphFile } from './code-graph';

/**
 * The folder whose code the graph holds: the root of the project's store; without a store the nearest folder upwards
 * that has a graph, the root of the repository, or the working folder. The home directory never counts as a project.
 */
export function graphRoot(around: Surroundings): string {
  const { root } = locateStore(around);
  if (root !== undefined) return root;
  const cwd = resolve(around.cwd);
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(graphFile(folder)) && folder !== resolve(around.home)) return folder;
  }
  return gitRoot(cwd) ?? cwd;
}

/**
 * Where the code of a folder belongs: into the graph of the project that it lies in, where servers look for it. One that
 * lies in none, or that the project leaves out, is a project of its own.
 * @returns `below`: the way from the root to the folder, with forward slashes; '' for the root itself
 */
export function graphRootOf(around: Surroundings, folder: string): { readonly root: string; readonly below: string } {
  const there = realpathSync(folder);
  for (const root of [graphRoot(around), graphRoot({ ...around, cwd: there, storeFile: undefined, clientRoots: [] })]) {
    const way = relative(realpathSync(root), there);
    if (way === '') return { root, below: '' };
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) continue;
    const below = way.split(sep).join('/');
    if (isKept(root, below)) return { root, below };
  }
  return { root: folder, below: '' };
}
