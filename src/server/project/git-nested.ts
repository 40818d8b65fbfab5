import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../base/errors';
import { quoted } from '../base/text';
import { isWorktree } from '../graph/worktrees';
import { type Git, runGit } from './run-git';

/** A repository in a folder of another one: a submodule, or a clone that nobody has added. */
export interface NestedRepository {
  /** Relative to the folder that Git was run in, without a slash at its end. */
  readonly path: string;
  /** The commit of it that is compared with; undefined for its own last one. */
  readonly base: string | undefined;
}

export interface AskNested {
  readonly root: string;
  /** The commit or tree of the outer repository that is compared with. */
  readonly base: string;
  readonly staged: boolean;
  /** What Git shows of folders that it knows nothing of: those that end in a slash are repositories. */
  readonly untracked: readonly string[];
  readonly signal: AbortSignal;
}

const SUBMODULE = '160000 ';

/**
 * The repositories whose files a build reads as those of this one, and that Git's diff of it leaves out. Other work trees
 * of the same repository are none.
 * @throws SvcError unavailable for a submodule that lacks the commit which is compared with
 */
export async function nestedRepositories(git: Git, asked: AskNested): Promise<NestedRepository[]> {
  const { root, base, staged, untracked, signal } = asked;
  const found: NestedRepository[] = [];
  const isThere = (path: string): boolean => existsSync(join(root, path, '.git')) && !isWorktree(join(root, path));
  for (const { path, commit } of await submodules(git)) {
    if (!isThere(path)) continue;
    const { status, out } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}:./${path}`]);
    const before = status === 0 ? out.toString().trim() : undefined;
    // What is committed with the outer repository is the submodule's commit; else it is what is staged in itself.
    const since = staged && before === commit ? undefined : before;
    if (since !== undefined) {
      const known = await runGit(join(root, path), ['cat-file', '-e', `${since}^{commit}`], signal);
      if (known.status !== 0) throw lacksCommit(path);
    }
    found.push({ path, base: since });
  }
  const clones = untracked.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  return [...found, ...clones.filter(isThere).map((path) => ({ path, base: undefined }))];
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
    `The submodule ${quoted(path)} lacks the commit that is compared with`,
    'Fetch it ("git submodule update --init", or "git fetch" in the submodule), then check again',
  );
