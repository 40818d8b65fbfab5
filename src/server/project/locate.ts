/** Finds the store of a working folder. */
import { dirname, join, parse, resolve } from 'node:path';
import { gitRoot, isInside, isSame, upwards } from '../base/paths';
import { isStoreAt } from '../base/store-at';

/** What finding a store depends on. Only `main/` reads these from the process. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  /** SVC_MEMORY_DB */
  readonly storeFile: string | undefined;
  /** It was set by the extension, for the store that it found: not a person's choice. */
  readonly storeFileFromEditor?: boolean;
  /** SVC_PROJECT_ROOT */
  readonly projectRoot: string | undefined;
  /** The folders that an MCP client has open, if the client reports them. */
  readonly clientRoots?: readonly string[];
}

export interface StorePlace {
  readonly path: string;
  /** For people: why this file and no other. */
  readonly reason: string;
  readonly kind: 'variable' | 'project' | 'home';
  /** A person named this very file, so it needs no other sign of whose it is. */
  readonly named: boolean;
  /** The folder that code paths are relative to; none with the home store. */
  readonly root: string | undefined;
}

export const STORE_FOLDER = '.svc';
export const STORE_NAME = 'memory.db';

/** The first place that applies: docs/behaviour.md, "Where the store is". */
export function locateStore(around: Surroundings): StorePlace {
  const start = startFolder(around);
  if (around.storeFile !== undefined && around.storeFile.trim() !== '') {
    const path = resolve(around.cwd, expandHome(around.storeFile.trim(), around.home));
    return {
      path,
      kind: 'variable',
      reason: 'SVC_MEMORY_DB names it',
      named: !around.storeFileFromEditor,
      root: rootOf(path, around, start),
    };
  }
  const homeStore = join(around.home, STORE_FOLDER, STORE_NAME);
  for (const folder of upwards(start)) {
    const path = join(folder, STORE_FOLDER, STORE_NAME);
    // What stands there and is no file is an error where it is opened, and no reason to take another store.
    if (isStoreAt(path) && !isSame(folder, around.home)) {
      return {
        path,
        kind: 'project',
        named: false,
        reason: `the nearest ${STORE_FOLDER}/${STORE_NAME} from ${start} upwards`,
        root: folder,
      };
    }
  }
  return {
    path: homeStore,
    kind: 'home',
    named: false,
    reason: `there is no ${STORE_FOLDER}/${STORE_NAME} from ${start} upwards, so it is the one in the home directory`,
    root: undefined,
  };
}

/** The store of a folder, whether it exists or not. */
export function storeAt(folder: string, home: string, reason = 'the store of this project'): StorePlace {
  const path = join(folder, STORE_FOLDER, STORE_NAME);
  if (!isSame(folder, home)) return { path, kind: 'project', named: false, reason, root: folder };
  const ofAll = 'the home directory has the store of all folders without one';
  return { path, kind: 'home', named: false, reason: ofAll, root: undefined };
}

function startFolder({ cwd, clientRoots = [] }: Surroundings): string {
  const [first] = clientRoots;
  return first === undefined || clientRoots.some((root) => isInside(root, cwd)) ? cwd : first;
}

function rootOf(path: string, around: Surroundings, start: string): string | undefined {
  const folder = dirname(path);
  if (parse(folder).base === STORE_FOLDER) {
    const parent = dirname(folder);
    return isSame(parent, around.home) ? undefined : parent;
  }
  if (around.projectRoot !== undefined && around.projectRoot.trim() !== '')
    return resolve(around.cwd, around.projectRoot);
  return gitRoot(start);
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
