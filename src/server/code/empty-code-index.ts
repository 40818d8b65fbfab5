/** The code index of a project without a code graph. */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { invalidInput } from '../base/errors';
import { parameter, phrase } from '../base/phrase';
import { isWithin } from '../base/regular-file';
import { quoted } from '../base/text';
import type { CodeIndex } from '../memory/code/touches';
import { insideRootForAMoment } from './inside-root';
import { OUTSIDE } from './locate-symbols';

/** The code index of a project whose graph has not been built: it knows the files, but no symbols. */
export function emptyCodeIndex(root: string | undefined): CodeIndex {
  const isInside = insideRootForAMoment(root ?? '');
  const look = (filePath: string): Stats | undefined => {
    if (!isInside(filePath)) return undefined;
    try {
      // A file behind a link that leads outside counts as missing.
      const real = realpathSync.native(resolve(root ?? '', filePath));
      return isWithin(realpathSync.native(root ?? ''), real) ? statSync(real) : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    unavailable:
      root === undefined
        ? {
            problem: 'The store does not belong to a project, so that paths of code have no root',
            remedy: 'Make one in the project with "svc-memory init", or set both SVC_MEMORY_DB and SVC_PROJECT_ROOT',
          }
        : undefined,
    built: async () => false,
    match: async () => new Map(),
    inFile: async () => [],
    locate: async (keys) => keys.map(({ file_path }) => (isInside(file_path) ? { verdict: 'gone' } : OUTSIDE)),
    relativePath: (filePath) => relativePath(root ?? '', filePath),
    modifiedAt: async (filePath) => look(filePath)?.mtimeMs,
    placedAt: async (filePath) => look(filePath)?.ctimeMs,
  };
}

/** `C:\\file` is a path of another machine here; resolving it would put it into the project. */
const FOREIGN_DRIVE = sep === '/' ? /^[A-Za-z]:[\\/]/ : undefined;

/** @throws SvcError invalid_input for a path outside the root, and for the root itself */
export function relativePath(root: string, filePath: string): string {
  const path = resolve(root, filePath.replaceAll('\\', '/'));
  const way = relative(root, path);
  if (way === '') {
    throw invalidInput(
      phrase`${parameter('file_path')} is ${quoted(filePath)}, the folder of the project itself`,
      'Give the path of a file inside the project, relative to its folder',
    );
  }
  if (FOREIGN_DRIVE?.test(filePath) || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw invalidInput(
      phrase`${parameter('file_path')} is ${quoted(filePath)}, which is outside the project ${quoted(root)}`,
      'Give the path of a file inside the project, relative to its folder',
    );
  }
  return way.split(sep).join('/');
}
