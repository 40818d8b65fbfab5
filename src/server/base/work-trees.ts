/** Recognises the work trees that Git keeps beside a repository's own (`git worktree add`). */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isSame } from './paths';
import { readRegularFile } from './regular-file';

/** In a work tree's own folder: the way to the repository that it shares. A submodule has none. */
const COMMON = 'commondir';
/** In the same folder: the `.git` of the work tree. */
const BACK = 'gitdir';
/** Each of these files holds one path. */
const MAX_GIT_FILE_BYTES = 10_000;
/** What a `.git` that is a file begins with, before the way to the folder of its own. */
const POINTER = 'gitdir: ';
/** Nobody has more. */
const MOST_WORK_TREES = 1_000;

/** The folder of the repository that a work tree belongs to; undefined for what is none. */
export function commonFolder(folder: string): string | undefined {
  const pointer = lineOf(join(folder, '.git')) ?? '';
  if (!pointer.startsWith(POINTER)) return undefined;
  const git = resolve(folder, pointer.slice(POINTER.length));
  const common = lineOf(join(git, COMMON));
  return common === undefined ? undefined : resolve(git, common);
}

/**
 * The folder of the main work tree. A `.git` may come with a folder and name any repository, so the repository has to
 * name the folder as well.
 * @param folder the top of a work tree
 * @returns undefined for what is none, or is the main one itself, and for a repository without one
 */
export function mainWorkTree(folder: string): string | undefined {
  const common = commonFolder(folder);
  if (common === undefined || basename(common) !== '.git') return undefined;
  const own = join(folder, '.git');
  const isListed = namesIn(join(common, 'worktrees')).some((name) => {
    const back = lineOf(join(common, 'worktrees', name, BACK));
    return back !== undefined && isSame(resolve(common, 'worktrees', name, back), own);
  });
  return isListed ? dirname(common) : undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, MOST_WORK_TREES);
  } catch {
    return [];
  }
}

/** Git's own files lead out of a work tree by nature. */
function lineOf(file: string): string | undefined {
  const text = readRegularFile(file, { max: MAX_GIT_FILE_BYTES, links: 'followed' }).bytes?.toString('utf8').trimEnd();
  return text === undefined || text.includes('\n') ? undefined : text;
}
