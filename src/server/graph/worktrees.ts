/** Recognises the work trees of a Git repository. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../base/regular-file';

/** In a work tree's own folder: the way to the repository that it shares. A submodule has none. */
const COMMON = 'commondir';
/** Each of these files holds one path. */
const MAX_GIT_FILE_BYTES = 10_000;
/** What a `.git` that is a file begins with, before the way to the folder of its own. */
const POINTER = 'gitdir: ';

/** Whether a folder is another work tree (`git worktree add`) of the repository that lies around it. */
export function isWorktree(folder: string): boolean {
  const common = commonFolder(folder);
  if (common === undefined) return false;
  for (let around = dirname(folder); around !== dirname(around); around = dirname(around)) {
    const git = join(around, '.git');
    if (!existsSync(git)) continue;
    const own = statSync(git, { throwIfNoEntry: false })?.isDirectory() ? git : commonFolder(around);
    if (own === common) return true;
  }
  return false;
}

/** The folder of the repository that a work tree belongs to; undefined for what is none. */
function commonFolder(folder: string): string | undefined {
  const pointer = textOf(join(folder, '.git'))?.trimEnd() ?? '';
  if (!pointer.startsWith(POINTER) || pointer.includes('\n')) return undefined;
  const git = resolve(folder, pointer.slice(POINTER.length));
  const common = textOf(join(git, COMMON));
  return common === undefined ? undefined : resolve(git, common.trim());
}

/** Git's own files lead out of a work tree by nature. */
function textOf(file: string): string | undefined {
  return readRegularFile(file, { max: MAX_GIT_FILE_BYTES, links: 'followed' }).bytes?.toString('utf8');
}
