/** Recognises the work trees of a Git repository that lie in it. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commonFolder } from '../base/work-trees';

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
