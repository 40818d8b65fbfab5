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
            remedy: 'Run "svc-memory init" in the project, or set SVC_PROJECT_ROOT to its folder',
          }
        : undefined,
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

/** @throws SvcError invalid_input for a path outside the root */
export function relativePath(root: string, filePath: string): string {
  const path = resolve(root, filePath.replaceAll('\\', '/'));
  const way = relative(root, path);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw invalidInput(
      `"file_path" is ${quoted(filePath)}, which lies outside the project ${quoted(root)}`,
      'Give the path of a file inside it, relative to its folder',
    );
  }
  return way.split(sep).join('/');
}
