/** Asks Git which commits and branches there are. */
import type { Git } from './run-git';

/** A branch, and its last commit; or what `git stash` has put aside, which is a commit, too. */
export interface Branch {
  readonly name: string;
  readonly commit: string;
  /** Of what was put aside: the commit that it was changed from. */
  readonly madeOn?: string;
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** A person works on a few branches; what lies about besides is older. */
const MOST_BRANCHES = 20;
/** What was put aside last, what that was changed from, and the files that Git did not follow. What lies below is in no reference. */
const STASH = ['refs/stash', 'refs/stash^1', 'refs/stash^3'];

export function isCommit(text: string): boolean {
  return COMMIT.test(text);
}

interface Commits {
  readonly head: string | undefined;
  readonly aside: readonly Branch[];
  /** Those that HEAD or a reference has. */
  readonly commits: ReadonlySet<string>;
  /** By those that the history of HEAD has not: a reference that has it. */
  readonly references: ReadonlyMap<string, string>;
}

export async function commitsOf(git: Git, asked: readonly string[]): Promise<Commits> {
  const lines = ['HEAD', ...STASH, ...asked].map((one) => `${one}^{commit}\n`).join('');
  const { out } = await git(['cat-file', '--batch-check'], lines);
  const [head, tracked, madeOn, untracked, ...found] = out
    .toString()
    .split('\n')
    .map((line) => /^([0-9a-f]+) commit /.exec(line)?.[1]);
  const there = asked.filter((commit, i) => found[i] === commit);
  const beside = new Set(await commitsBeside(git, head, there));
  const references = await referencesOf(git, head, beside);
  const commits = new Set(there.filter((commit) => !beside.has(commit) || references.has(commit)));
  const aside = [tracked, untracked].flatMap((commit) =>
    commit === undefined || madeOn === undefined ? [] : [{ name: 'stash', commit, madeOn }],
  );
  return { head, aside, commits, references };
}

/** Those that the history of HEAD has not. */
async function commitsBeside(git: Git, head: string | undefined, commits: readonly string[]): Promise<string[]> {
  const others = commits.filter((commit) => commit !== head);
  if (head === undefined || others.length === 0) return others;
  const listed = await git(['rev-list', '--stdin'], [...others, `^${head}`, ''].join('\n'));
  if (listed.status !== 0) return others;
  const beside = new Set(listed.out.toString().split('\n'));
  return others.filter((commit) => beside.has(commit));
}

async function referencesOf(
  git: Git,
  head: string | undefined,
  commits: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  // Most often there is none, and what all branches of a repository have is much.
  if (commits.size === 0) return new Map();
  const without = head === undefined ? [] : ['--not', head];
  const found = await outputOf(git, [
    'log',
    // Before `--all`, which it is about: the HEAD of another work tree is no reference.
    '--single-worktree',
    '--all',
    '--source',
    '--format=%H %S',
    ...without,
    '--',
  ]);
  return new Map(
    found.split('\n').flatMap((line) => {
      const [commit = '', reference = ''] = line.split(' ');
      return commits.has(commit) ? [[commit, reference.replace(/^refs\/(?:heads\/|remotes\/|tags\/)?/, '')]] : [];
    }),
  );
}

/** Those that were committed to last, one for each commit. */
export async function newestBranches(git: Git): Promise<readonly Branch[]> {
  const found = await outputOf(git, [
    ...['for-each-ref', '--sort=-committerdate', `--count=${MOST_BRANCHES}`],
    ...['--format=%(objectname) %(refname:short)', 'refs/heads', 'refs/remotes'],
  ]);
  const all = new Map<string, Branch>();
  for (const line of found.split('\n')) {
    const [commit = '', name = ''] = line.split(' ');
    if (isCommit(commit) && !all.has(commit)) all.set(commit, { commit, name });
  }
  return [...all.values()];
}

/** '' where Git cannot tell. */
export async function outputOf(git: Git, args: readonly string[], input?: string): Promise<string> {
  const { status, out } = await git(args, input);
  return status === 0 ? out.toString() : '';
}
