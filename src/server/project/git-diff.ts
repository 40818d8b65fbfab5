import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidInput } from '../base/errors';
import { quoted } from '../base/text';
import { decode } from '../graph/read-source';
import { MAX_FILE_BYTES } from '../graph/source-files';
import { type NestedRepository, nestedRepositories } from './git-nested';
import { type Git, requireRepository, runGit, unreadable } from './run-git';

export interface AskDiff {
  /** Paths are relative to it; what lies outside is not looked at. */
  readonly root: string;
  /** What is to be committed, instead of the working files. */
  readonly staged: boolean;
  /** Compare with where this revision and the present one went apart, instead of with the last commit. */
  readonly since: string | undefined;
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
  readonly files: readonly ChangedFile[];
  /** The texts before, by old path. What is no text or is too large is left out. */
  before(): Promise<ReadonlyMap<string, string>>;
  /** The texts after, by new path. */
  after(): Promise<ReadonlyMap<string, string>>;
  /** The texts at paths that do not differ. */
  unchanged(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface RawFile extends ChangedFile {
  readonly old_blob: string;
  readonly new_blob: string;
}

const BLOBS_AT_ONCE = 200;
/** More new files than this are no part of a change that a person made. */
const MAX_UNTRACKED = 500;
/** How the mode of a file that is no link and no submodule begins. */
const REGULAR = '100';
const LINE_FEED = 10;

/**
 * What differs in a Git repository, and in those that lie in it. Git is run without a shell, and writes nothing.
 * @throws SvcError unavailable without Git or without a repository, invalid_input for an unknown revision
 */
export async function gitDiff({ root, staged, since, signal }: AskDiff): Promise<GitDiff> {
  const git = (args: readonly string[], input?: string) => runGit(root, args, signal, input);
  await requireRepository(git, root);
  return diffFrom(git, { root, staged, signal, base: await baseOf(git, since) });
}

type AskFrom = Omit<AskDiff, 'since'> & { readonly base: string };

async function diffFrom(git: Git, asked: AskFrom): Promise<GitDiff> {
  const { root, base, staged } = asked;
  const raw = await git([
    ...['diff', '--raw', '-z', '--no-abbrev', '--relative', '--find-renames', '--no-ext-diff', '--no-textconv'],
    ...['--ignore-submodules=all', '--no-color', ...(staged ? ['--cached'] : []), base, '--'],
  ]);
  if (raw.status !== 0) throw unreadable(root);
  const files = readRaw(raw.out.toString());
  const untracked = await untrackedPaths(git);
  const all = [...files, ...(staged ? [] : untrackedFiles(untracked))];
  const own: GitDiff = {
    files: all,
    before: () =>
      readBlobs(
        git,
        files.flatMap(({ old_path, old_blob }) => pathAndBlob(old_path, old_blob)),
      ),
    after: () =>
      staged
        ? readBlobs(
            git,
            files.flatMap(({ new_path, new_blob }) => pathAndBlob(new_path, new_blob)),
          )
        : readWorkingFiles(
            root,
            all.map(({ new_path }) => new_path),
          ),
    unchanged: (paths) =>
      staged
        ? readBlobs(
            git,
            // The protocol goes by lines.
            paths.filter((path) => !path.includes('\n')).map((path) => [path, `:./${path}`]),
          )
        : readWorkingFiles(root, paths),
  };
  return withNested(
    own,
    await Promise.all((await nestedRepositories(git, { ...asked, untracked })).map(inNested(asked))),
  );
}

interface NestedDiff {
  /** Ends in a slash. */
  readonly folder: string;
  readonly diff: GitDiff;
}

function inNested({ root, staged, signal }: AskFrom): (nested: NestedRepository) => Promise<NestedDiff> {
  return async ({ path, base }) => {
    const folder = join(root, path);
    const git: Git = (args, input) => runGit(folder, args, signal, input);
    await requireRepository(git, folder);
    const from = base ?? (await baseOf(git, undefined));
    return { folder: `${path}/`, diff: await diffFrom(git, { root: folder, staged, signal, base: from }) };
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
  return {
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
    unchanged: (paths) =>
      merged((diff, folder) =>
        diff.unchanged(paths.filter((path) => nestedFolder(path) === folder).map((path) => path.slice(folder.length))),
      ),
  };
}

/** The tree that is compared with. A repository without a commit is compared with nothing. */
async function baseOf(git: Git, since: string | undefined): Promise<string> {
  const commit = async (revision: string): Promise<string | undefined> => {
    const { status, out } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
    return status === 0 ? out.toString().trim() : undefined;
  };
  const head = await commit('HEAD');
  if (since === undefined) {
    return head ?? (await git(['hash-object', '-t', 'tree', '--stdin'])).out.toString().trim();
  }
  const revision = await commit(since);
  if (revision === undefined) {
    throw invalidInput(
      `"since" is ${quoted(since)}, which is no revision of this repository`,
      'Give a branch, a tag or a commit; a shallow clone lacks older ones ("git fetch --unshallow" gets them)',
    );
  }
  // What others did on that branch meanwhile is not part of this change.
  const common = head === undefined ? undefined : await git(['merge-base', head, revision]);
  return common?.status === 0 ? common.out.toString().trim() : revision;
}

/** `:100644 100644 <old> <new> M NUL path NUL`, with a second path for renames and copies. */
function readRaw(text: string): RawFile[] {
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
    // Links and submodules are no sources; what is in conflict is not decided yet.
    const old_path = oldMode.startsWith(REGULAR) && !status.startsWith('C') ? first : undefined;
    const new_path = newMode.startsWith(REGULAR) ? second : undefined;
    if (/^[UX]/.test(status) || (old_path === undefined && new_path === undefined)) continue;
    files.push({ old_path, new_path, old_blob, new_blob });
  }
  return files;
}

/** What nobody has added yet; repositories in it end in a slash. */
async function untrackedPaths(git: Git): Promise<string[]> {
  const { status, out } = await git(['ls-files', '--others', '--exclude-standard', '-z']);
  return status === 0 ? out.toString().split('\0').filter(Boolean) : [];
}

/** Code may have moved to new files. */
function untrackedFiles(paths: readonly string[]): ChangedFile[] {
  const files = paths.filter((path) => !path.endsWith('/')).slice(0, MAX_UNTRACKED);
  return files.map((new_path) => ({ old_path: undefined, new_path }));
}

type PathAndBlob = readonly [path: string, blob: string];

function pathAndBlob(path: string | undefined, blob: string): PathAndBlob[] {
  return path === undefined ? [] : [[path, blob]];
}

async function readBlobs(git: Git, wanted: readonly PathAndBlob[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (let start = 0; start < wanted.length; start += BLOBS_AT_ONCE) {
    const some = wanted.slice(start, start + BLOBS_AT_ONCE);
    const { out } = await git(['cat-file', '--batch'], some.map(([, blob]) => `${blob}\n`).join(''));
    let at = 0;
    for (const [path] of some) {
      const end = out.indexOf(LINE_FEED, at);
      if (end < 0) break;
      // `<name> blob <size>`, or `<name> missing`
      const [, type, size] = out.subarray(at, end).toString().split(' ');
      at = end + 1;
      if (type !== 'blob') continue;
      const bytes = out.subarray(at, at + Number(size));
      at += Number(size) + 1;
      const text = bytes.length > MAX_FILE_BYTES ? undefined : decode(bytes);
      if (text !== undefined) texts.set(path, text);
    }
  }
  return texts;
}

async function readWorkingFiles(root: string, paths: readonly (string | undefined)[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    if (path === undefined) continue;
    try {
      const file = join(root, path);
      if ((await stat(file)).size > MAX_FILE_BYTES) continue;
      const text = decode(await readFile(file));
      if (text !== undefined) texts.set(path, text);
    } catch {
      // Deleted meanwhile, or not to be read: as good as gone.
    }
  }
  return texts;
}
