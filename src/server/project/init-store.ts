/** Creates the store of a project. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { locateStore, STORE_FOLDER, STORE_NAME, type Surroundings, storeAt } from '../../store-place/locate';
import { fileOf, type StorePlace } from '../../store-place/store-place';
import { gitRoot, isSame } from '../base/paths';
import { isStoreAt } from '../base/store-at';
import { type OpenProject, openProject } from './open';

export interface InitialisedStore {
  readonly place: StorePlace;
  readonly created: boolean;
}

/**
 * Makes the project's store. Where: the file that SVC_MEMORY_DB names; else where the current folder's repository
 * already has one between here and its root; else in the current folder when it has a `.svc`, in the repository's
 * root, or, outside of a repository, in the current folder.
 * @throws SvcError unavailable when the file that is there is no store, or none can be made
 */
export async function initStore(
  around: Surroundings,
  options: Omit<OpenProject, 'place' | 'home'>,
): Promise<InitialisedStore> {
  const place = storeToInit(around);
  const path = fileOf(place);
  const created = !existsSync(path) || statSync(path).size === 0;
  const project = await openProject({ ...options, home: around.home, place });
  try {
    if (project.store.refuseWriting) throw project.store.refuseWriting;
    project.prepareFolder();
  } finally {
    await project.close();
  }
  return { place, created };
}

export function storeToInit(around: Surroundings): StorePlace {
  if (around.storeFile !== undefined) return locateStore(around);
  const found = locateStore({ ...around, makesStore: false });
  // A work tree has that of its repository.
  if (found.kind === 'project' && found.root && !isSame(dirname(dirname(fileOf(found))), found.root)) return found;
  const cwd = resolve(around.cwd);
  const root = projectRoot(cwd, around.home);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (isStoreAt(join(folder, STORE_FOLDER, STORE_NAME)) || (folder === cwd && existsSync(join(cwd, STORE_FOLDER)))) {
      return storeAt(folder, around.home);
    }
    if (folder === root || folder === dirname(folder)) return storeAt(root, around.home);
  }
}

/** The repository's root, or the folder itself. A home directory under version control makes no project of all below. */
function projectRoot(folder: string, home: string): string {
  const root = gitRoot(folder);
  return root === undefined || isSame(root, home) ? folder : root;
}
