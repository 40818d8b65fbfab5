import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { graphFile } from './code-graph';
import { gitRoot, locateStore, type Surroundings } from './locate';

/**
 * The folder whose code the graph holds: the root of the project's store; where there is none, the nearest folder
 * upwards that has a graph, the repository's root, or the working folder. The home directory is no project of all below.
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
