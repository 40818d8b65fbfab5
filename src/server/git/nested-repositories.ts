/** Finds the Git repositories inside a repository. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../base/errors';
import { quoted } from '../base/text';
import { isWorktree } from '../graph/worktrees';
import type { Repository } from './open-repository';
import type { Git } from './run-git';

/** A repository inside another one: a submodule, or an untracked clone. */
export interface NestedRepository {
  /** Relative to the folder that Git was run in, without a slash at its end. */
  readonly path: string;
  readonly repository: Repository;
  /** The commit of it that is compared with; undefined for its own last one. */
  readonly base: string | undefined;
}

export interface AskNested {
  /** The commit or tree of the outer repository that is compared with. */
  readonly base: string;
  readonly staged: boolean;
  /** What Git shows of folders that it knows nothing of: those that end in a slash are repositories. */
  readonly untracked: readonly string[];
}

const SUBMODULE = '160000 ';

/**
 * The nested repositories whose files a build reads, but Git's diff of the outer one leaves out. Other work trees of
 * the same repository do not count.
 * @throws SvcError unavailable for a submodule that lacks the commit to compare with
 */
export async function nestedRepositories(
  { root, git, nested }: Repository,
  { base, staged, untracked }: AskNested,
): Promise<NestedRepository[]> {
  const found: NestedRepository[] = [];
  const isThere = (path: string): boolean => existsSync(join(root, path, '.git')) && !isWorktree(join(root, path));
  for (const { path, commit } of await submodules(git)) {
    if (!isThere(path)) continue;
    const { status, out } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}:./${path}`]);
    const before = status === 0 ? out.toString().trim() : undefined;
    // What is committed with the outer repository is the submodule's commit; else it is what is staged in itself.
    const since = staged && before === commit ? undefined : before;
    const repository = await nested(path);
    if (since !== undefined) {
      const known = await repository.git(['cat-file', '-e', `${since}^{commit}`]);
      if (known.status !== 0) throw lacksCommit(path);
    }
    found.push({ path, repository, base: since });
  }
  const clones = untracked.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  for (const path of clones.filter(isThere)) found.push({ path, repository: await nested(path), base: undefined });
  return found;
}

/** Those below the folder that Git is run in, as they are in the index. */
async function submodules(git: Git): Promise<{ path: string; commit: string }[]> {
  const { out } = await git(['ls-files', '--stage', '-z']);
  return out
    .toString()
    .split('\0')
    .flatMap((line) => {
      if (!line.startsWith(SUBMODULE)) return [];
      const [entry = '', path = ''] = line.split('\t', 2);
      return [{ path, commit: entry.split(' ')[1] ?? '' }];
    });
}

const lacksCommit = (path: string) =>
  unavailable(
    `The submodule ${quoted(path)} lacks a commit that this check needs`,
    'Fetch it ("git submodule update --init", or "git fetch" in the submodule), then check again',
  );
