/** Compares the working files with a commit, new files included. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../base/errors';
import type { Repository } from './open-repository';
import { outputOf } from './references';
import { COMPARE, entriesIn, renamesIn } from './renames';
import type { Git } from './run-git';

/** How the working files differ from a commit. */
export interface Difference {
  /** By the path at the commit. */
  readonly now: ReadonlyMap<string, string>;
  /** By the path of a working file. */
  readonly before: ReadonlyMap<string, string>;
  /** Every path that is not the same in both; undefined where not all of them are known. */
  readonly touched: ReadonlySet<string> | undefined;
}

/** More new files than this are no part of a change that a person made. */
const MOST_UNTRACKED = 5_000;

export const SAME: Difference = { now: new Map(), before: new Map(), touched: new Set() };
const UNKNOWN: Difference = { ...SAME, touched: undefined };

export async function since(open: () => Promise<Repository>, commit: string): Promise<Difference> {
  try {
    return await workingDifference(await open(), commit);
  } catch (error) {
    if (error instanceof SvcError) return UNKNOWN;
    throw error;
  }
}

async function workingDifference(repository: Repository, commit: string): Promise<Difference> {
  const asked = ['diff', ...COMPARE, commit, '--'];
  const all = (await outputOf(repository.git, ['ls-files', '--others', '--exclude-standard', '-z']))
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('/'));
  const untracked = all.slice(0, MOST_UNTRACKED);
  const compare = async (git: Git, isWhole: boolean): Promise<Difference> => {
    const { status, out } = await git(asked);
    if (status !== 0) return UNKNOWN;
    const raw = out.toString();
    const touched = isWhole ? new Set([...entriesIn(raw)].flatMap(({ from, to }) => [from, to])) : undefined;
    const renamed = renamesIn(raw);
    return { now: new Map(renamed), before: new Map(renamed.map(([from, to]) => [to, from])), touched };
  };
  if (untracked.length === 0) return compare(repository.git, true);
  // Git compares only what its index names. So it gets a copy of the index that names the new files, too.
  const folder = mkdtempSync(join(tmpdir(), 'svc-index-'));
  try {
    const index = join(folder, 'index');
    // Git looks into a file that was written when the index was, or later: so the copy keeps the time, or an edit in the
    // second of a checkout would be none.
    const written = Math.floor(statSync(repository.index).mtimeMs / 1_000);
    writeFileSync(index, readFileSync(repository.index));
    utimesSync(index, written, written);
    const git = repository.withIndex(index);
    const entries = untracked.map((name) => `100644 ${emptyBlob(commit)} 0\t${repository.prefix}${name}\0`).join('');
    // A split index would be written beside the repository's own.
    await git(['-c', 'core.splitIndex=false', 'update-index', '-z', '--index-info'], entries);
    return await compare(git, untracked.length === all.length);
  } catch {
    // There is no index before the first file is added.
    return await compare(repository.git, false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SHA1_LENGTH = 40;

/** What Git calls a file without content, in a repository with such commits. */
function emptyBlob(commit: string): string {
  return createHash(commit.length === SHA1_LENGTH ? 'sha1' : 'sha256')
    .update('blob 0\0')
    .digest('hex');
}
