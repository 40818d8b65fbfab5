/** Tells where paths of this machine lead, links followed. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Whether the path is the folder, or lies in it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(real(folder), real(path));
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

export function isSame(a: string, b: string): boolean {
  return real(a) === real(b);
}

/** Whether something stands at the path, be it a link that leads nowhere. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a file stands at the path, links followed. Where the system does not say, it may. */
export function isFileThere(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** The real path of a file that may not be there yet. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPlace(folder), basename(path));
  }
}

/** The git root of the folder, if it lies in a repository. */
export function gitRoot(folder: string): string | undefined {
  for (const candidate of upwards(folder)) if (existsSync(join(candidate, '.git'))) return candidate;
  return undefined;
}

/** The folder and all that it lies in, the nearest first. */
export function* upwards(folder: string): Generator<string> {
  let current = resolve(folder);
  for (;;) {
    yield current;
    const parent = dirname(current);
    if (parent === current) return;
    current = parent;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
