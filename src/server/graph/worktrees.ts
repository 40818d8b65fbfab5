import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** In a work tree's own folder: the way to the repository that it shares. A submodule has none. */
const COMMON = 'commondir';

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
  try {
    const [, way] = /^gitdir: (.+?)\s*$/.exec(readFileSync(join(folder, '.git'), 'utf8')) ?? [];
    if (way === undefined) return undefined;
    const git = resolve(folder, way);
    return resolve(git, readFileSync(join(git, COMMON), 'utf8').trim());
  } catch {
    return undefined;
  }
}
