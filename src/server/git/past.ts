/** Asks Git for the past of a project: renamed files, old texts, other branches. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SvcError } from '../base/errors';
import { readBlobs } from './blobs';
import { openRepository, type Repository } from './open-repository';
import { type Git, type GitHost, unreadable } from './run-git';

/** What a repository says of its past. None of it changes while HEAD, the references and the working files do not. */
export interface Past {
  /** The commit of HEAD; undefined before the first one. */
  readonly head: string | undefined;
  /** Whether the repository has this commit. A shallow clone has few. */
  has(commit: string): Promise<boolean>;
  /**
   * Where a file of this commit is now, as Git follows it: in one comparison with the working files, else from commit to
   * commit. The path itself where it was not renamed.
   */
  follow(commit: string, path: string): Promise<string>;
  /** The text of a file at this commit; undefined where there was none, or it cannot be read. */
  textAt(commit: string, path: string): Promise<string | undefined>;
  /** Whether there was a file at this commit. */
  hadFile(commit: string, path: string): Promise<boolean>;
  /** A branch, or another reference, that has this commit while the history of HEAD has not. */
  otherRef(commit: string): Promise<string | undefined>;
}

type Renames = ReadonlyMap<string, string>;

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Git gives up on pairs that are only alike beyond so many files; equal ones are found all the same. */
const MOST_COMPARED = 1_000;
/** Whoever asks for memories waits for this. */
const LIMIT_MS = 20_000;
/** More new files than this are no part of a change that a person made. */
const MOST_UNTRACKED = 5_000;
const COMPARE = [
  ...['--raw', '-z', '--no-abbrev', '--relative', '--find-renames', `-l${MOST_COMPARED}`, '--diff-filter=R'],
  ...['--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--no-color'],
];

/** What does not change with the working files, from one question to the next: by the two commits. */
export type KnownRenames = Map<string, readonly (readonly [from: string, to: string])[]>;
const MOST_KNOWN = 50;

/** @returns undefined where there is no repository, or Git is not to be started */
export async function openPast(
  root: string,
  host: GitHost | undefined,
  known: KnownRenames,
): Promise<Past | undefined> {
  if (!host) return undefined;
  try {
    const asked = { root, host: { ...host, limitMs: host.limitMs ?? LIMIT_MS }, signal: new AbortController().signal };
    return await pastOf(await openRepository(asked), known);
  } catch (error) {
    // Without Git, texts decide.
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

async function pastOf(opened: Repository, known: KnownRenames): Promise<Past> {
  const repository = { ...opened, git: quiet(opened.git), withIndex: (file: string) => quiet(opened.withIndex(file)) };
  const { git, prefix } = repository;
  const head = await commitOf(git, 'HEAD');
  const once = cached();
  // A store says anything; what is no commit never reaches Git.
  const has = async (commit: string): Promise<boolean> =>
    COMMIT.test(commit) && once(`has ${commit}`, async () => (await commitOf(git, commit)) === commit);
  const toWorking = (commit: string) => once(`to ${commit}`, () => renamesToWorking(repository, commit));
  const steps = (commit: string) =>
    once(`steps ${commit}`, async () => {
      if (head === undefined || head === commit) return [];
      const between = `${commit}..${head}`;
      const kept = known.get(between);
      if (kept) return kept;
      const { status, out } = await git(['log', ...LOG, ...COMPARE, between, '--']);
      if (status !== 0) return [];
      const found = renamesIn(out.toString());
      const [oldest] = known.keys();
      if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
      known.set(between, found);
      return found;
    });
  return {
    head,
    has,
    async follow(commit, path) {
      if (!(await has(commit))) return path;
      const direct = (await toWorking(commit)).get(path);
      if (direct !== undefined || head === undefined) return direct ?? path;
      let now = path;
      for (const [from, to] of await steps(commit)) if (now === from) now = to;
      return (await toWorking(head)).get(now) ?? now;
    },
    async textAt(commit, path) {
      if (path.includes('\n') || !(await has(commit))) return undefined;
      const asked = [[path, `${commit}:${prefix}${path}`]] as const;
      // A clone may lack older texts, and nothing is fetched.
      const texts = await readBlobs(git, asked, () => unreadable(repository.root)).catch(() => undefined);
      return texts?.get(path);
    },
    async hadFile(commit, path) {
      const { status, out } = await git(['ls-tree', '-z', '--name-only', commit, '--', path]);
      return status !== 0 || out.length > 0;
    },
    otherRef: (commit) => once(`ref ${commit}`, () => otherRef(git, commit, has)),
  };
}

/** What Git cannot tell is not known; texts decide then. */
function quiet(git: Git): Git {
  return (args, input) =>
    git(args, input).catch((error: unknown) => {
      if (error instanceof SvcError) return { status: 128, out: Buffer.alloc(0), err: error.message };
      throw error;
    });
}

/** The oldest first, and nothing but what differs. */
const LOG = ['--format=', '--reverse', '--topo-order'];

async function otherRef(git: Git, commit: string, has: Past['has']): Promise<string | undefined> {
  if (!(await has(commit))) return undefined;
  const { status } = await git(['merge-base', '--is-ancestor', commit, 'HEAD']);
  if (status !== 1) return undefined;
  const found = await outputOf(git, ['for-each-ref', '--count=1', '--format=%(refname:short)', `--contains=${commit}`]);
  return found.split('\n', 1)[0] || undefined;
}

async function commitOf(git: Git, revision: string): Promise<string | undefined> {
  const { status, out } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  return status === 0 ? out.toString().trim() : undefined;
}

async function outputOf(git: Git, args: readonly string[]): Promise<string> {
  const { status, out } = await git(args);
  return status === 0 ? out.toString() : '';
}

async function renamesToWorking(repository: Repository, commit: string): Promise<Renames> {
  const asked = ['diff', ...COMPARE, commit, '--'];
  const untracked = (await outputOf(repository.git, ['ls-files', '--others', '--exclude-standard', '-z']))
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('/'))
    .slice(0, MOST_UNTRACKED);
  if (untracked.length === 0) return new Map(renamesIn(await outputOf(repository.git, asked)));
  // Git compares only what its index names. So it gets a copy of the index that names the new files, too.
  const folder = mkdtempSync(join(tmpdir(), 'svc-index-'));
  try {
    const index = join(folder, 'index');
    const path = (await outputOf(repository.git, ['rev-parse', '--git-path', 'index'])).replace(/\r?\n$/, '');
    writeFileSync(index, readFileSync(resolve(repository.root, path)));
    const git = repository.withIndex(index);
    const empty = (await repository.git(['hash-object', '--stdin'])).out.toString().trim();
    const entries = untracked.map((name) => `100644 ${empty} 0\t${repository.prefix}${name}\0`).join('');
    // A split index would be written beside the repository's own.
    await git(['-c', 'core.splitIndex=false', 'update-index', '-z', '--index-info'], entries);
    return new Map(renamesIn(await outputOf(git, asked)));
  } catch {
    // There is no index before the first file is added.
    return new Map(renamesIn(await outputOf(repository.git, asked)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `:100644 100644 <old> <new> R<alike> NUL path NUL path NUL` */
function renamesIn(raw: string): (readonly [from: string, to: string])[] {
  const fields = raw.split('\0');
  const found: (readonly [string, string])[] = [];
  for (let i = 0; i + 2 < fields.length; i++) {
    if (!/^:\d{6} \d{6} [0-9a-f]+ [0-9a-f]+ R\d*$/.test(fields[i] ?? '')) continue;
    found.push([fields[i + 1] ?? '', fields[i + 2] ?? '']);
    i += 2;
  }
  return found;
}

/** Answers the same question once. */
function cached(): <Answer>(question: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const answers = new Map<string, Promise<unknown>>();
  return <Answer>(question: string, ask: () => Promise<Answer>) => {
    const answer = (answers.get(question) as Promise<Answer> | undefined) ?? ask();
    answers.set(question, answer);
    return answer;
  };
}
