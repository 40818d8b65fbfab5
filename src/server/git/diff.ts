/** Reads a Git diff: which files differ, and their old texts. */
import { invalidInput, unavailable } from '../base/errors';
import { parameter, phrase } from '../base/phrase';
import { quoted, shownPath } from '../base/text';
import { textInside } from '../graph/read-source';
import { type PathAndBlob, readBlobs } from './blobs';
import { type NestedRepository, nestedRepositories } from './nested-repositories';
import { openRepository, type Repository } from './open-repository';
import { isCommit } from './references';
import { type Git, type GitHost, unreadable } from './run-git';
import { judgedFiles } from './touched-files';

export interface AskDiff {
  /** Paths are relative to this folder; files outside of it are ignored. */
  readonly root: string;
  /** What is to be committed, instead of the working files. */
  readonly staged: boolean;
  /** Compare with where this revision and the present one went apart, instead of with the last commit. */
  readonly since: string | undefined;
  readonly host: GitHost | undefined;
  readonly signal: AbortSignal;
}

/** One file that differs; a renamed one has both paths. */
export interface ChangedFile {
  /** undefined for a new file. */
  readonly old_path: string | undefined;
  /** undefined for a deleted file. */
  readonly new_path: string | undefined;
}

export interface GitDiff {
  /** What is compared with: a commit, or a tree where there is none. */
  readonly base: string;
  readonly files: readonly ChangedFile[];
  /** The texts before, by old path. What is no text or is too large is left out. */
  before(): Promise<ReadonlyMap<string, string>>;
  /** The texts after, by new path. */
  after(): Promise<ReadonlyMap<string, string>>;
  /** The texts at paths that do not differ. */
  unchanged(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The texts at paths as the revision asked about has them by now; none where it is what is compared with. */
  theirs(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Whether what was kept at a commit on a path, but did not stand there before, came with this diff: the commit is the one
   * that is compared with, or came after it. Of repositories in this one nobody knows that.
   * @param commit null where there was none
   */
  isWithin(commit: string | null, path: string): Promise<boolean>;
}

/** What Git says of a file that differs. */
export interface RawFile extends ChangedFile {
  readonly old_blob: string;
  /** Zeros where Git has not looked at the working file. */
  readonly new_blob: string;
}

/** More new files than this are no part of a change that a person made. */
const MAX_UNTRACKED = 500;
/** How the mode of a file that is no link and no submodule begins. */
const REGULAR = '100';

/**
 * What differs in a Git repository, and in those that lie in it. Git runs no program of theirs, and writes nothing.
 * @throws SvcError unavailable without Git or without a repository, invalid_input for an unknown revision
 */
export async function gitDiff({ root, staged, since, host, signal }: AskDiff): Promise<GitDiff> {
  const repository = await openRepository({ root, host, signal });
  return diffFrom(repository, { staged, ...(await baseOf(repository.git, since)) });
}

interface AskFrom {
  readonly staged: boolean;
  /** A commit or a tree. */
  readonly base: string;
  /** Whether nothing is committed yet. */
  readonly isFirst?: boolean;
  /** The commit that went apart from the present one there. */
  readonly theirs?: string | undefined;
}

async function diffFrom(repository: Repository, asked: AskFrom): Promise<GitDiff> {
  const { root, git } = repository;
  const { base, isFirst = false, staged, theirs } = asked;
  const raw = await git([
    ...['diff', '--raw', '-z', '--no-abbrev', '--relative', '--find-renames', '--no-ext-diff', '--no-textconv'],
    ...['--ignore-submodules=all', '--no-color', ...(staged ? ['--cached'] : []), base, '--'],
  ]);
  const cannotRead = (err: string): Error => cannotCompare(root, base, err);
  if (raw.status !== 0) throw cannotRead(raw.err);
  const blobs = (wanted: readonly PathAndBlob[]) => readBlobs(git, wanted, cannotRead);
  const oldTexts = (some: readonly RawFile[]) =>
    blobs(some.flatMap(({ old_path, old_blob }) => pathAndBlob(old_path, old_blob)));
  const differing = readRaw(raw.out.toString());
  const { files, stored } = staged
    ? { files: differing, stored: new Set(differing) }
    : await judgedFiles(repository, differing, oldTexts);
  const untracked = await untrackedPaths(git);
  const unadded = staged ? [] : untrackedFiles(untracked);
  const within = new Map<string, Promise<boolean>>();
  const own: GitDiff = {
    base,
    files: [...files, ...unadded],
    before: () => oldTexts(files),
    async after() {
      const texts = await blobs([...stored].flatMap(({ new_path, new_blob }) => pathAndBlob(new_path, new_blob)));
      const working = [...files.filter((file) => !stored.has(file)), ...unadded].map(({ new_path }) => new_path);
      return new Map([...texts, ...(await readWorkingFiles(root, working))]);
    },
    unchanged: (paths) => (staged ? blobs(inTree('', paths)) : readWorkingFiles(root, paths)),
    theirs: async (paths) => (theirs === undefined ? new Map() : blobs(inTree(theirs, paths))),
    async isWithin(commit) {
      if (commit === null) return isFirst;
      if (!isCommit(commit) || commit === base) return commit === base;
      // Links share their commits, and each answer starts Git twice.
      const known = within.get(commit) ?? isBetween(git, base, commit);
      within.set(commit, known);
      return known;
    },
  };
  return withNested(
    own,
    await Promise.all((await nestedRepositories(repository, { ...asked, untracked })).map(inNested(staged))),
  );
}

/** Whether a commit came after another one, in the history of HEAD. */
async function isBetween(git: Git, base: string, commit: string): Promise<boolean> {
  const isBefore = async (one: string, other: string): Promise<boolean> =>
    (await git(['merge-base', '--is-ancestor', one, other])).status === 0;
  return (await isBefore(commit, 'HEAD')) && (await isBefore(base, commit));
}

/** @param tree a revision; empty for the index */
function inTree(tree: string, paths: readonly string[]): PathAndBlob[] {
  // The protocol goes by lines.
  return paths.filter((path) => !path.includes('\n')).map((path) => [path, `${tree}:./${path}`]);
}

interface NestedDiff {
  /** Ends in a slash. */
  readonly folder: string;
  readonly diff: GitDiff;
}

function inNested(staged: boolean): (nested: NestedRepository) => Promise<NestedDiff> {
  return async ({ path, repository, base }) => {
    const from = base === undefined ? await baseOf(repository.git, undefined) : { base };
    return { folder: `${path}/`, diff: await diffFrom(repository, { staged, ...from }) };
  };
}

function withNested(own: GitDiff, nested: readonly NestedDiff[]): GitDiff {
  if (nested.length === 0) return own;
  const merged = async (
    texts: (diff: GitDiff, folder: string) => Promise<ReadonlyMap<string, string>>,
  ): Promise<ReadonlyMap<string, string>> => {
    const all = new Map<string, string>();
    for (const { folder, diff } of [{ folder: '', diff: own }, ...nested]) {
      for (const [path, text] of await texts(diff, folder)) all.set(folder + path, text);
    }
    return all;
  };
  const put = (folder: string, path: string | undefined) => (path === undefined ? undefined : folder + path);
  const nestedFolder = (path: string): string => nested.find(({ folder }) => path.startsWith(folder))?.folder ?? '';
  const inEach = (
    paths: readonly string[],
    read: (diff: GitDiff, own: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ) =>
    merged((diff, folder) =>
      read(
        diff,
        paths.filter((path) => nestedFolder(path) === folder).map((path) => path.slice(folder.length)),
      ),
    );
  return {
    base: own.base,
    files: [
      ...own.files,
      ...nested.flatMap(({ folder, diff }) =>
        diff.files.map(({ old_path, new_path }) => ({
          old_path: put(folder, old_path),
          new_path: put(folder, new_path),
        })),
      ),
    ],
    before: () => merged((diff) => diff.before()),
    after: () => merged((diff) => diff.after()),
    unchanged: (paths) => inEach(paths, (diff, some) => diff.unchanged(some)),
    theirs: (paths) => inEach(paths, (diff, some) => diff.theirs(some)),
    isWithin: async (commit, path) => nestedFolder(path) === '' && own.isWithin(commit, path),
  };
}

/** What is compared with. A repository without a commit is compared with nothing. */
async function baseOf(git: Git, since: string | undefined): Promise<Omit<AskFrom, 'staged'>> {
  const commit = async (revision: string): Promise<string | undefined> => {
    const { status, out } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
    return status === 0 ? out.toString().trim() : undefined;
  };
  const head = await commit('HEAD');
  if (since === undefined) {
    if (head !== undefined) return { base: head };
    return { base: (await git(['hash-object', '-t', 'tree', '--stdin'])).out.toString().trim(), isFirst: true };
  }
  const revision = await commit(since);
  if (revision === undefined) {
    throw invalidInput(
      phrase`${parameter('since')} is ${quoted(since)}, which is not a revision of this repository`,
      'Give a branch, a tag or a commit; a shallow clone lacks older ones ("git fetch --unshallow" gets them)',
    );
  }
  // What others did on that branch meanwhile is not part of this change.
  const common = head === undefined ? undefined : await git(['merge-base', head, revision]);
  const base = common?.status === 0 ? common.out.toString().trim() : revision;
  return { base, theirs: base === revision ? undefined : revision };
}

/** `:100644 100644 <old> <new> M NUL path NUL`, with a second path for renames and copies. */
export function readRaw(text: string): RawFile[] {
  const fields = text.split('\0');
  const files: RawFile[] = [];
  for (let i = 0; i + 1 < fields.length; ) {
    const [oldMode = '', newMode = '', old_blob = '', new_blob = '', status = ''] = (fields[i] ?? '')
      .slice(1)
      .split(' ');
    const first = fields[i + 1] ?? '';
    const isPair = /^[RC]/.test(status);
    const second = isPair ? (fields[i + 2] ?? '') : first;
    i += isPair ? 3 : 2;
    // Links and submodules are not sources, and files in conflict are not decided yet.
    const old_path = oldMode.startsWith(REGULAR) && !status.startsWith('C') ? first : undefined;
    const new_path = newMode.startsWith(REGULAR) ? second : undefined;
    if (/^[UX]/.test(status) || (old_path === undefined && new_path === undefined)) continue;
    files.push({ old_path, new_path, old_blob, new_blob });
  }
  return files;
}

/** The untracked files; a path that ends in a slash is a repository. */
async function untrackedPaths(git: Git): Promise<string[]> {
  const { status, out } = await git(['ls-files', '--others', '--exclude-standard', '-z']);
  return status === 0 ? out.toString().split('\0').filter(Boolean) : [];
}

/** Code may have moved to new files. */
function untrackedFiles(paths: readonly string[]): ChangedFile[] {
  const files = paths.filter((path) => !path.endsWith('/')).slice(0, MAX_UNTRACKED);
  return files.map((new_path) => ({ old_path: undefined, new_path }));
}

function pathAndBlob(path: string | undefined, blob: string): PathAndBlob[] {
  return path === undefined ? [] : [[path, blob]];
}

async function readWorkingFiles(root: string, paths: readonly (string | undefined)[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    // Deleted meanwhile, or not to be read: as good as gone.
    const text = path === undefined ? undefined : textInside(root, path);
    if (path !== undefined && text !== undefined) texts.set(path, text);
  }
  return texts;
}

/** Some clones fetch old texts when they are first needed; a check fetches nothing. */
function cannotCompare(root: string, base: string, err: string): Error {
  if (!/promisor remote|lazy fetching disabled|transport '.*' not allowed/.test(err)) return unreadable(root);
  return unavailable(
    `The clone at ${shownPath(root)} lacks older versions that this check needs, and a check fetches nothing`,
    `Let Git fetch them ("git diff ${base}"), then check again`,
  );
}
