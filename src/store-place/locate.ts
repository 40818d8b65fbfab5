/** Finds the store of a working folder. */
import { dirname, join, parse, relative, resolve } from 'node:path';
import { gitRoot, isInside, isSame, upwards } from '../server/base/paths';
import { isStoreAt } from '../server/base/store-at';
import { mainWorkTree } from '../server/base/work-trees';
import { isUrl, type StorePlace, urlOf } from './store-place';

/** What finding a store depends on. Only `main/` reads these from the process. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  /** SVC_MEMORY_DB */
  readonly storeFile: string | undefined;
  /** It was set by the extension, for the store that it found: not a person's choice. */
  readonly storeFileFromEditor?: boolean;
  /** The first write makes a store in the working folder where there is none, and does not go to the home store. */
  readonly makesStore?: boolean;
  /** SVC_PROJECT_ROOT */
  readonly projectRoot: string | undefined;
  /** The folders that an MCP client has open, if the client reports them. */
  readonly clientRoots?: readonly string[];
}

export const STORE_FOLDER = '.svc';
export const STORE_NAME = 'memory.db';

/** The first place that applies: docs/behaviour.md, "Where the store is". */
export function locateStore(around: Surroundings): StorePlace {
  const start = startFolder(around);
  const name = around.storeFile?.trim() ?? '';
  if (name !== '') {
    const path = isUrl(name) ? undefined : fileNamed(name, around);
    return {
      url: path === undefined ? name : urlOf(path),
      kind: around.storeFileFromEditor ? 'setting' : 'named',
      reason: 'SVC_MEMORY_DB names it',
      root: rootOf(path, around, start),
    };
  }
  // A work tree reads the store of its repository, and its own files.
  let tree: WorkTree | undefined;
  for (const folder of upwards(start)) {
    // What stands there and is no file is an error where it is opened, and no reason to take another store.
    if (isStoreAt(storeIn(folder)) && !isSame(folder, around.home)) {
      const place: StorePlace = {
        url: urlOf(storeIn(folder)),
        kind: 'project',
        reason: `the nearest ${STORE_FOLDER}/${STORE_NAME} from ${start} upwards`,
        root: folder,
      };
      // The main work tree lies around this one, and the same folder there is nearer to its own stores.
      return tree && isSame(folder, tree.main) ? (storeOfMain(tree, start, around.home) ?? place) : place;
    }
    const main = tree === undefined ? mainWorkTree(folder) : undefined;
    if (main !== undefined) tree = { folder, main };
  }
  const ofMain = tree && storeOfMain(tree, start, around.home);
  if (ofMain) return ofMain;
  if (around.makesStore) return storeAt(around.cwd, around.home, 'the first write makes it in this folder');
  return {
    url: urlOf(join(around.home, STORE_FOLDER, STORE_NAME)),
    kind: 'home',
    reason: `there is no ${STORE_FOLDER}/${STORE_NAME} from ${start} upwards, so it is the one in the home directory`,
    root: undefined,
  };
}

interface WorkTree {
  readonly folder: string;
  readonly main: string;
}

/** What the same folder of the main work tree has, or one around it. */
function storeOfMain({ folder: top, main }: WorkTree, start: string, home: string): StorePlace | undefined {
  for (const folder of upwards(start)) {
    const there = join(main, relative(top, folder));
    if (isStoreAt(storeIn(there)) && !isSame(there, home)) {
      const reason = `${top} is a work tree of ${main}, so it is the store there`;
      return { url: urlOf(storeIn(there)), kind: 'project', reason, root: folder };
    }
    if (isSame(folder, top)) break;
  }
  return undefined;
}

/** The store of a folder, whether it exists or not. */
export function storeAt(folder: string, home: string, reason = 'the store of this project'): StorePlace {
  const url = urlOf(storeIn(folder));
  if (!isSame(folder, home)) return { url, kind: 'project', reason, root: folder };
  const ofAll = 'the home directory has the store of all folders without one';
  return { url, kind: 'home', reason: ofAll, root: undefined };
}

function storeIn(folder: string): string {
  return join(folder, STORE_FOLDER, STORE_NAME);
}

/** The file that a person or a setting names, from the working folder, as an absolute path. */
export function fileNamed(name: string, { cwd, home }: Pick<Surroundings, 'cwd' | 'home'>): string {
  return resolve(cwd, name === '~' || name.startsWith('~/') ? join(home, name.slice(1)) : name);
}

function startFolder({ cwd, clientRoots = [] }: Surroundings): string {
  const [first] = clientRoots;
  return first === undefined || clientRoots.some((root) => isInside(root, cwd)) ? cwd : first;
}

/** @param path undefined for a store that is no file */
function rootOf(path: string | undefined, around: Surroundings, start: string): string | undefined {
  const folder = path === undefined ? undefined : dirname(path);
  if (folder !== undefined && parse(folder).base === STORE_FOLDER) {
    const parent = dirname(folder);
    return isSame(parent, around.home) ? undefined : parent;
  }
  if (around.projectRoot !== undefined && around.projectRoot.trim() !== '')
    return resolve(around.cwd, around.projectRoot);
  return gitRoot(start);
}
