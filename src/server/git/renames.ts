/** Follows renamed files from commit to commit. */
import type { Git } from './run-git';

export type Renamed = readonly [from: string, to: string];

/** Git gives up on pairs that are only alike beyond so many files; equal ones are found all the same. */
const MOST_COMPARED = 1_000;
/** Commits that are not found to be related to HEAD by then have nothing in common with it. */
const MOST_STARTS = 100;
export const COMPARE = [
  ...['--raw', '-z', '--no-abbrev', '--relative', '--find-renames', `-l${MOST_COMPARED}`],
  ...['--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--no-color'],
];
export const RENAMED = '--diff-filter=R';

/** The names of files at a commit and at HEAD, of those that were renamed on the way. */
export interface Names {
  readonly now: ReadonlyMap<string, string>;
  readonly before: ReadonlyMap<string, string>;
}

/** What a commit did to files. */
export interface Step {
  /** Its first parent. */
  readonly before: string;
  /** What it renamed, by the path before it. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** What a history says. */
export interface Told {
  /** Undefined where Git cannot tell. */
  readonly history: History | undefined;
  /** The names of files between one of the commits and HEAD. */
  names(commit: string): Names;
  /** Undefined for a commit that is not between those that were asked about and HEAD. */
  step(commit: string): Step | undefined;
  /** A commit, and those of them that are behind it. */
  behind(commit: string): ReadonlySet<string>;
}

/** The history between some commits and HEAD. */
export interface History {
  readonly head: string;
  /** All of the commits have it behind them. */
  readonly oldest: string;
  /** Where a clone that is not whole ended then: with older commits there are more ways from one to another. */
  readonly ends: string;
  /** By each commit in it; those before it are not. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** Commits that have nothing in common with HEAD. */
  readonly unrelated: ReadonlySet<string>;
  /** Commits that rename files, the oldest first. */
  readonly steps: readonly { readonly commit: string; readonly renamed: readonly Renamed[] }[];
}

/** What does not change with the working files, from one question to the next. */
export interface KnownHistory {
  history?: History;
}

/**
 * Reads the history once for all of these commits, with a start of Git for each would take minutes.
 */
export async function renamesSince(
  git: Git,
  known: KnownHistory,
  { head, ends }: Pick<History, 'head' | 'ends'>,
  commits: ReadonlySet<string>,
): Promise<Told> {
  const kept = known.history;
  const isIn = ({ parents, unrelated }: History, commit: string): boolean =>
    parents.has(commit) || unrelated.has(commit);
  const isSame = kept?.head === head && kept.ends === ends;
  const isKept = isSame && [...commits].every((commit) => isIn(kept, commit));
  const found = isKept ? undefined : await historyOf(git, head, commits);
  const history = isKept ? kept : found && { ...found, ends };
  if (history) known.history = history;
  const names = new Map<string, Names>();
  return {
    history,
    names(commit) {
      const found =
        names.get(commit) ?? (history && !history.unrelated.has(commit) ? namesBetween(history, commit) : NONE);
      names.set(commit, found);
      return found;
    },
    step(commit) {
      const before = history?.parents.get(commit)?.[0];
      const own = before === undefined ? undefined : history?.steps.find((step) => step.commit === commit);
      return before === undefined ? undefined : { before, renamed: new Map(own?.renamed) };
    },
    behind: (commit) => reachable(history?.parents ?? new Map(), commit),
  };
}

const NONE: Names = { now: new Map(), before: new Map() };
/** The oldest first, and nothing but what differs. */
const LOG = ['--reverse', '--topo-order'];
const COMMIT = '\u0001';

/** @returns undefined where Git cannot tell */
async function historyOf(
  git: Git,
  head: string,
  commits: ReadonlySet<string>,
): Promise<Omit<History, 'ends'> | undefined> {
  const unrelated = new Set<string>();
  if ([...commits].every((commit) => commit === head)) {
    return { head, oldest: head, parents: new Map([[head, []]]), unrelated, steps: [] };
  }
  const base = await git(['merge-base', '--octopus', head, ...commits]);
  if (base.status !== 0) {
    const related = await relatedTo(git, head, [...commits]);
    const history = related.size < commits.size ? await historyOf(git, head, related) : undefined;
    return history && { ...history, unrelated: new Set([...commits].filter((commit) => !related.has(commit))) };
  }
  // The commits themselves are among what is listed, the oldest of them included.
  const [oldest = ''] = base.out.toString().split('\n');
  const revisions = [head, ...commits, `^${oldest}`, ''].join('\n');
  const [listed, logged] = await Promise.all([
    git(['rev-list', '--parents', '--stdin'], revisions),
    git(['log', ...LOG, `--format=%x01%H`, ...COMPARE, RENAMED, '--stdin'], revisions),
  ]);
  if (listed.status !== 0 || logged.status !== 0) return undefined;
  const parents = new Map<string, readonly string[]>([[oldest, []]]);
  for (const line of listed.out.toString().split('\n')) {
    const [commit = '', ...before] = line.split(' ');
    if (commit !== '') parents.set(commit, before);
  }
  const steps = logged.out
    .toString()
    .split(COMMIT)
    .slice(1)
    .map((text) => ({ commit: text.slice(0, text.indexOf('\0')), renamed: renamesIn(text) }));
  return { head, oldest, parents, unrelated, steps };
}

/**
 * Of an orphan branch, and of one that a shallow clone has no common history of, nothing was renamed on the way to HEAD.
 * Such branches are few: half after half is asked about, until all of one are related.
 */
async function relatedTo(git: Git, head: string, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const related = new Set<string>();
  const waiting = [commits];
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    const some = waiting.shift();
    if (!some) break;
    const { status } = await git(['merge-base', '--octopus', head, ...some]);
    const half = Math.ceil(some.length / 2);
    if (status === 0) for (const commit of some) related.add(commit);
    else if (some.length > 1) waiting.push(some.slice(0, half), some.slice(half));
  }
  return related;
}

function namesBetween({ head, parents, steps }: History, commit: string): Names {
  const isOlder = reachable(parents, commit);
  const isInHead = reachable(parents, head);
  const now = new Map<string, string>();
  const before = new Map<string, string>();
  for (const step of steps) {
    if (isOlder.has(step.commit) || !isInHead.has(step.commit)) continue;
    for (const [from, to] of step.renamed) {
      const origin = before.get(from) ?? (now.has(from) ? undefined : from);
      before.delete(from);
      // A file that was made since, under the name of one that was renamed, comes from nowhere.
      if (origin === undefined) continue;
      now.set(origin, to);
      before.set(to, origin);
    }
  }
  return { now, before };
}

export function reachable(parents: History['parents'], from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const commit of found) for (const parent of parents.get(commit) ?? []) found.add(parent);
  return found;
}

/** `:100644 100644 <old> <new> M NUL path NUL`, with two paths where a file was renamed (`R<alike>`). */
export function* entriesIn(raw: string): Generator<{ readonly from: string; readonly to: string }> {
  const fields = raw.split('\0');
  for (let i = 0; i + 1 < fields.length; i++) {
    const [, status] = /^\n?:\d{6} \d{6} [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/.exec(fields[i] ?? '') ?? [];
    if (status === undefined) continue;
    const from = fields[++i] ?? '';
    yield { from, to: status === 'R' ? (fields[++i] ?? '') : from };
  }
}

export function renamesIn(raw: string): Renamed[] {
  return [...entriesIn(raw)].filter(({ from, to }) => from !== to).map(({ from, to }) => [from, to]);
}
