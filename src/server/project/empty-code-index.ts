import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { invalidInput } from '../base/errors';
import { quoted } from '../base/text';
import type { CodeIndex } from '../memory/touches';

/** The code index of a project whose graph has not been built: it knows the files, but no symbols. */
export function emptyCodeIndex(root: string | undefined): CodeIndex {
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
    locate: async (keys) => keys.map(() => ({ verdict: 'gone' })),
    relativePath: (filePath) => relativePath(root ?? '', filePath),
    modifiedAt: async (filePath) => {
      try {
        return (await stat(resolve(root ?? '', filePath))).mtimeMs;
      } catch {
        return undefined;
      }
    },
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
      `"file_path" is ${quoted(filePath)}, the folder of the project itself`,
      'Give the path of a file inside it, relative to its folder',
    );
  }
  if (FOREIGN_DRIVE?.test(filePath) || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw invalidInput(
      `"file_path" is ${quoted(filePath)}, which lies outside the project ${quoted(root)}`,
      'Give the path of a file inside it, relative to its folder',
    );
  }
  return way.split(sep).join('/');
}
