import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** What finding a store depends on. Only `main/` reads these from the process. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  /** SVC_MEMORY_DB */
  readonly storeFile: string | undefined;
  /** SVC_PROJECT_ROOT */
  readonly projectRoot: string | undefined;
  /** Folders that an MCP client has open, when it tells. */
  readonly clientRoots?: readonly string[];
}

export interface StorePlace {
  readonly path: string;
  /** For people: why this file and no other. */
  readonly reason: string;
  readonly kind: 'variable' | 'project' | 'home';
  /** The folder that code paths are relative to; none with the home store. */
  readonly root: string | undefined;
}

export const STORE_FOLDER = '.svc';
export const STORE_NAME = 'memory.db';

/** SVC_MEMORY_DB, else the nearest `.svc/memory.db` upwards, else the one in the home directory (decisions.md). */
export function locateStore(around: Surroundings): StorePlace {
  const start = startFolder(around);
  if (around.storeFile !== undefined && around.storeFile.trim() !== '') {
    const path = resolve(around.cwd, expandHome(around.storeFile.trim(), around.home));
    return { path, kind: 'variable', reason: 'SVC_MEMORY_DB names it', root: rootOf(path, around, start) };
  }
  const homeStore = join(around.home, STORE_FOLDER, STORE_NAME);
  for (const folder of upwards(start)) {
    const path = join(folder, STORE_FOLDER, STORE_NAME);
    if (isFile(path) && !isSame(folder, around.home)) {
      return {
        path,
        kind: 'project',
        reason: `the nearest ${STORE_FOLDER}/${STORE_NAME} from ${start} upwards`,
        root: folder,
      };
    }
  }
  return {
    path: homeStore,
    kind: 'home',
    reason: `there is no ${STORE_FOLDER}/${STORE_NAME} from ${start} upwards, so it is the one in the home directory`,
    root: undefined,
  };
}

/** The git root of the folder, if it lies in a repository. */
export function gitRoot(folder: string): string | undefined {
  for (const candidate of upwards(folder)) if (existsSync(join(candidate, '.git'))) return candidate;
  return undefined;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(real(folder), real(path));
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
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

function* upwards(folder: string): Generator<string> {
  let current = resolve(folder);
  for (;;) {
    yield current;
    const parent = dirname(current);
    if (parent === current) return;
    current = parent;
  }
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

export function isSame(a: string, b: string): boolean {
  return real(a) === real(b);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
