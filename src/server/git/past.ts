/** Asks Git for the past of a project: renamed files, old texts, other branches. */
import { join } from 'node:path';
import { SvcError } from '../base/errors';
import { isThere } from '../base/paths';
import type { Blob } from './blobs';
import { changesIn, type KnownChanges, type Which } from './changes';
import { historyEnds } from './head-commit';
import { blobsAt, type FileThen, type KnownBlobs, keepNewest, textsOf } from './known-blobs';
import { openRepository, type Repository } from './open-repository';
import { type Branch, commitsOf, isCommit, newestBranches, outputOf } from './references';
import {
  COMPARE,
  type KnownHistory,
  type Names,
  RENAMED,
  type Renamed,
  renamesIn,
  renamesSince,
  type Step,
} from './renames';
import type { Git, GitHost } from './run-git';
import { type Difference, SAME, since } from './working-difference';

/** A repository whose past can be asked about, for one question after another while HEAD and the references stay. */
export interface OpenedPast {
  /** The commit of HEAD; undefined before the first one. */
  readonly head: string | undefined;
  /** For one question: the working files are compared anew. */
  look(): Past;
}

/** What a repository says of its past. None of it changes while HEAD, the references and the working files do not. */
export interface Past {
  /** The commit of HEAD, about which `filesAt` may be asked; undefined before the first one. */
  readonly head: string | undefined;
  /**
   * Whether HEAD or a reference has this commit, one of those that it was opened with. A shallow clone has few; what no
   * reference has any more, another clone has not either.
   */
  has(commit: string): boolean;
  /**
   * Where a file of this commit is now, as Git follows it: from commit to commit until HEAD, and from there to the working
   * files; else in one comparison with HEAD. The path itself where it was not renamed.
   * @param at another one of the commits that it was opened with, in the history of HEAD: where the file was there instead,
   * from commit to commit
   */
  follow(commit: string, path: string, at?: string): Promise<string>;
  /** The paths at this commit that a file may come from: its own, and that which it was renamed from. */
  origins(commit: string, path: string): Promise<readonly string[]>;
  /** The path at this commit of a file that is not known to come from any, in one comparison. */
  likeness(commit: string, path: string): Promise<string | undefined>;
  /** What was at each of these paths, at the commit with it. */
  filesAt(asked: readonly CommitAndPath[]): Promise<readonly FileThen[]>;
  /** Whether the working file at this path is that of the commit. */
  isAsNow(commit: string, path: string): Promise<boolean>;
  /** Whether the working file at this path may be another than that of HEAD. */
  isEdited(path: string): Promise<boolean>;
  /** Whether HEAD has this file while a sparse checkout keeps it out of the working folder. */
  isKeptOut(path: string): Promise<boolean>;
  /** Whether the history of a branch, by its last commit, has this commit. */
  isBefore(commit: string, last: string): Promise<boolean>;
  /** A branch, or another reference, that has this commit while the history of HEAD has not. */
  otherRef(commit: string): string | undefined;
  /**
   * The newest branches that end at another commit than HEAD, one for each commit, and what was put aside last. `filesAt` may be
   * asked about all of their commits.
   */
  branchesBeside(): Promise<readonly Branch[]>;
  /**
   * The commits of HEAD since this one that have changed a file, about which `filesAt` may be asked as well; undefined
   * where they are many.
   */
  changesSince(commit: string, path: string): Promise<readonly string[] | undefined>;
  /** Reads what commits did to all of these files with one start of Git, so that they can be asked about one by one. */
  readChanges(paths: readonly string[]): Promise<void>;
  /** Those of them that have this commit behind them: not those of a branch that began before it and was merged since. */
  changesAfter(commit: string, path: string): Promise<readonly string[] | undefined>;
  /** One of those commits; about the one before it `filesAt` may be asked as well. */
  step(commit: string): Promise<Step | undefined>;
  /** One of those commits, and the earlier ones of them that it comes from. */
  behind(commit: string): Promise<ReadonlySet<string>>;
  /** The files that one of those commits has made or changed; undefined where they are many. */
  changedIn(commit: string): Promise<readonly string[] | undefined>;
}

export type CommitAndPath = readonly [commit: string, path: string];

/** What changed more often since is another thing by now. */
const MOST_CHANGES = 50;
/** A commit of more files is a release, or a new formatting: where a symbol went is not looked for among so many. */
const MOST_CHANGED = 50;

/** Whoever asks for memories waits for this. */
const LIMIT_MS = 20_000;
/** What does not change with the working files, from one question to the next. */
export interface KnownPast extends KnownHistory, KnownChanges, KnownBlobs {
  /** By the two commits. */
  readonly direct: Map<string, readonly Renamed[]>;
}
/** Renames, of all comparisons together. */
const MOST_KNOWN = 100_000;

export const nothingKnown = (): KnownPast => ({ direct: new Map(), blobs: new Map(), texts: new Map() });

/**
 * @param commits those that will be asked about. A store says anything: what is no commit never reaches Git
 * @returns undefined where there is no repository, or Git is not to be started
 */
export async function openPast(
  root: string,
  host: GitHost | undefined,
  known: KnownPast,
  commits: readonly string[],
): Promise<OpenedPast | undefined> {
  if (!host) return undefined;
  try {
    const asked = { root, host: { ...host, limitMs: host.limitMs ?? LIMIT_MS }, signal: new AbortController().signal };
    const open = async (): Promise<Repository> => quietly(await openRepository(asked));
    return await pastOf(open, known, new Set(commits));
  } catch (error) {
    // Without Git, texts decide.
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

async function pastOf(
  open: () => Promise<Repository>,
  known: KnownPast,
  asked: ReadonlySet<string>,
): Promise<OpenedPast> {
  const repository = await open();
  const { git, prefix } = repository;
  const { head, aside, commits, references } = await commitsOf(git, [...asked].filter(isCommit));
  const has = (commit: string): boolean => commits.has(commit);
  const ends = historyEnds(repository.root);
  const history = onceOf(() => renamesSince(git, known, { head: head ?? '', ends }, commits));
  const changes = onceOf(async () => {
    const found = (await history()).history;
    return found && changesIn(git, known, found);
  });
  /** In one comparison: where a file was taken apart and put together over several commits, each of them tells nothing. */
  const renamedAtOnce = async (commit: string): Promise<readonly Renamed[]> => {
    if (head === undefined || commit === head) return [];
    const question = `${commit} ${head}`;
    const before = known.direct.get(question);
    if (before) return before;
    const { status, out } = await git(['diff-tree', '-r', ...COMPARE, RENAMED, commit, head, '--']);
    if (status !== 0) return [];
    const found = renamesIn(out.toString());
    keepNewest(known.direct, MOST_KNOWN, (renamed) => renamed.length + 1, [[question, found]]);
    return found;
  };
  const difference = (reopened: () => Promise<Repository>) => async () =>
    head === undefined ? SAME : since(reopened, head);
  /** Opened again each time: the settings of the repository may name other programs by now. */
  const differenceNow = together(difference(open));
  const keptOutNow = together(() => filesKeptOut(git));
  /** By `<commit>:<path>`; undefined where there is none. One start of Git for many. */
  const blobs = new Map<string, Blob | undefined>();
  const look = (compare: () => Promise<Difference>): Past => {
    const sinceHead = onceOf(compare);
    const keptOut = onceOf(keptOutNow);
    const named = new Set<string>();
    const branches = onceOf(async () => {
      const found = [...(await newestBranches(git)), ...aside].filter(({ commit }) => commit !== head);
      for (const { commit, madeOn } of found) named.add(commit).add(madeOn ?? commit);
      return found;
    });
    const isKnown = (commit: string): boolean => commit === head || has(commit) || named.has(commit);
    const before = new Map<string, ReturnType<Git>>();
    /** Since a commit of which nothing leads to HEAD. */
    const changesApart = async (commit: string, path: string): Promise<readonly string[] | undefined> => {
      const range = [head ?? '', `^${commit}`, '--', path];
      // By itself Git leaves out the side of a merge that lost, which had what is asked about.
      const { status, out } = await git(['rev-list', '--full-history', `--max-count=${MOST_CHANGES + 1}`, ...range]);
      return status === 0 ? out.toString().split('\n').filter(isCommit) : undefined;
    };
    const changesOf =
      (which: Which): Past['changesSince'] =>
      async (commit, path) => {
        if (!isKnown(commit) || head === undefined) return undefined;
        const isApart = (await history()).history?.unrelated.has(commit) === true;
        const found = isApart ? await changesApart(commit, path) : await (await changes())?.find(which, commit, path);
        if (found === undefined || found.length > MOST_CHANGES) return undefined;
        for (const one of found) named.add(one);
        return found;
      };
    const step: Past['step'] = async (commit) => {
      const found = (await history()).step(commit);
      if (found) named.add(found.before);
      return found;
    };
    const changedIn = new Map<string, Promise<readonly string[] | undefined>>();
    const changedFilesOf = async (commit: string): Promise<readonly string[] | undefined> => {
      const before = (await step(commit))?.before;
      if (before === undefined) return undefined;
      const asked = ['--name-only', '-z', '--no-renames', '--relative', '--diff-filter=AM', '--ignore-submodules=all'];
      const { status, out } = await git(['diff-tree', '-r', ...asked, before, commit, '--']);
      const found = out.toString().split('\0').slice(0, -1);
      return status !== 0 || found.length > MOST_CHANGED ? undefined : found;
    };
    /** @returns false where Git cannot tell */
    const findBlobs = async (names: readonly string[]): Promise<boolean> => {
      const open = names.filter((name) => !blobs.has(name));
      const found = await blobsAt(git, known, open);
      for (const name of found ? open : []) blobs.set(name, found?.get(name));
      return found !== undefined;
    };
    const nameAt = (commit: string | undefined, path: string): string => `${commit}:${prefix}${path}`;
    return {
      head,
      has,
      async follow(commit, path, at) {
        if (head === undefined || (commit !== head && !has(commit))) return path;
        if (at !== undefined) return has(at) ? nameThen((await history()).names, { commit, path, at }) : path;
        const inWorkingFiles = async (atHead: string): Promise<string> => (await sinceHead()).now.get(atHead) ?? atHead;
        const stepwise = (await history()).names(commit).now.get(path);
        const now = await inWorkingFiles(stepwise ?? path);
        if (stepwise !== undefined || isThere(join(repository.root, now))) return now;
        const direct = (await renamedAtOnce(commit)).find(([from]) => from === path)?.[1];
        return direct === undefined ? now : inWorkingFiles(direct);
      },
      async origins(commit, path) {
        if (!has(commit) || head === undefined) return [path];
        const atHead = (await sinceHead()).before.get(path) ?? path;
        return [...new Set([path, (await history()).names(commit).before.get(atHead) ?? atHead])];
      },
      async likeness(commit, path) {
        if (!has(commit)) return undefined;
        const atHead = (await sinceHead()).before.get(path) ?? path;
        return (await renamedAtOnce(commit)).find(([, to]) => to === atHead)?.[0];
      },
      async filesAt(asked) {
        // Git is asked by lines.
        const isAsked = ([commit, path]: CommitAndPath): boolean => isKnown(commit) && !path.includes('\n');
        // Those of HEAD, because whether they are as now is asked next.
        const names = asked
          .filter(isAsked)
          .flatMap(([commit, path]) => [commit, ...(head === undefined ? [] : [head])].map((at) => nameAt(at, path)));
        if (!(await findBlobs(names))) return asked.map(() => 'unreadable');
        const blobOf = (one: CommitAndPath): Blob | 'none' | 'unreadable' =>
          isAsked(one) ? (blobs.get(nameAt(...one)) ?? 'none') : 'unreadable';
        return textsOf(repository, known, asked.map(blobOf));
      },
      async isAsNow(commit, path) {
        if (!isKnown(commit) || head === undefined || path.includes('\n')) return false;
        const names = [nameAt(commit, path), nameAt(head, path)];
        if (!(await findBlobs(names))) return false;
        const [then, atHead] = names.map((name) => blobs.get(name)?.blob);
        return then !== undefined && then === atHead && (await sinceHead()).touched?.has(path) === false;
      },
      isEdited: async (path) => (await sinceHead()).touched?.has(path) !== false,
      isKeptOut: async (path) => !isThere(join(repository.root, path)) && (await keptOut()).has(path),
      otherRef: (commit) => (head === undefined ? undefined : references.get(commit)),
      branchesBeside: branches,
      async isBefore(commit, last) {
        const asked = `${commit} ${last}`;
        const known = before.get(asked) ?? git(['merge-base', '--is-ancestor', commit, last]);
        before.set(asked, known);
        return (await known).status === 0;
      },
      changesSince: changesOf('since'),
      readChanges: async (paths) => (await changes())?.read(paths),
      changesAfter: changesOf('after'),
      step,
      behind: async (commit) => (await history()).behind(commit),
      changedIn(commit) {
        const known = changedIn.get(commit) ?? changedFilesOf(commit);
        changedIn.set(commit, known);
        return known;
      },
    };
  };
  let isFirst = true;
  return {
    head,
    look() {
      const compare = isFirst ? difference(async () => repository) : differenceNow;
      isFirst = false;
      return look(compare);
    },
  };
}

/** What a file of a commit was called at another one. */
function nameThen(
  names: (commit: string) => Names,
  { commit, path, at }: { readonly commit: string; readonly path: string; readonly at: string },
): string {
  const atHead = names(commit).now.get(path) ?? path;
  return names(at).before.get(atHead) ?? atHead;
}

function quietly(repository: Repository): Repository {
  const { git, withIndex } = repository;
  return { ...repository, git: quiet(git), withIndex: (file) => quiet(withIndex(file)) };
}

/** What Git cannot tell is not known; texts decide then. */
function quiet(git: Git): Git {
  return (args, input) =>
    git(args, input).catch((error: unknown) => {
      if (error instanceof SvcError) return { status: 128, out: Buffer.alloc(0), err: error.message };
      throw error;
    });
}

async function filesKeptOut(git: Git): Promise<ReadonlySet<string>> {
  const listed = await outputOf(git, ['ls-files', '-t', '-z']);
  return new Set(listed.split('\0').flatMap((entry) => (entry.startsWith('S ') ? [entry.slice(2)] : [])));
}

/**
 * One run at a time. Who asks while one is under way gets the answer of the next, as all do who ask until it begins: what is
 * answered was looked at after the question, and many questions at once take two runs.
 */
function together<Answer>(run: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Answer> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const answer = run();
      running = answer.catch(() => undefined);
      return answer;
    });
    return next;
  };
}

function onceOf<Answer>(ask: () => Answer | Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => {
    answer ??= Promise.resolve(ask());
    return answer;
  };
}
