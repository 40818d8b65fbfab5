/** Asks Git who changed a file. */
import { timestamp } from '../base/clock';
import { cut, oneLine } from '../base/text';
import { type OpenRepository, openRepository } from './open-repository';
import type { Git } from './run-git';

export interface FileCommit {
  readonly id: string;
  readonly author: string;
  /** When the author made it: ISO 8601, UTC. */
  readonly at: string;
  /** `changed`: the file was there before, and is since. */
  readonly did: 'changed' | 'brought' | 'took';
}

export interface CommitsOfFile {
  /** The newest first; a merge is one where it has another text than each side. */
  readonly commits: readonly FileCommit[];
  /** The file is as it was committed last; undefined where a filter that is off here would have to tell. */
  readonly isCommitted: boolean | undefined;
}

export interface AskFileCommits extends OpenRepository {
  /** Relative to the root. */
  readonly path: string;
  /** How many commits, at most. */
  readonly most: number;
}

const MAX_AUTHOR = 100;
const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv', '--no-color'];
/** No author has a NUL or the end of a line in it. */
const COMMIT = /^([0-9a-f]{40}(?:[0-9a-f]{24})?)\0([^\0]*)\0([^\0]*)$/;
/** For a merge a letter for each side. */
const STATUS = /^([A-Z]+)\t/;

/** @throws SvcError unavailable without Git or a repository */
export async function commitsOfFile({ path, most, ...where }: AskFileCommits): Promise<CommitsOfFile> {
  const { git, filters } = await openRepository(where);
  const [log, difference] = await Promise.all([
    git([
      ...['log', `--max-count=${most}`, '--no-mailmap', '--no-follow', '--encoding=UTF-8', '--format=%H%x00%an%x00%aI'],
      ...['--root', '-c', '--name-status', '--no-renames', ...NO_PROGRAMS, 'HEAD', '--', path],
    ]),
    // `--quiet` would go by the time of the file, since the index is not refreshed.
    git(['diff', '--numstat', ...NO_PROGRAMS, 'HEAD', '--', path]),
  ]);
  // Before the first commit there is no HEAD.
  const commits = log.status === 0 ? commitsIn(log.out.toString()) : [];
  const [last] = commits;
  const isThere = last !== undefined && last.did !== 'took';
  const isSame = difference.status === 0 && difference.out.length === 0;
  const isUnknown =
    isThere && !isSame && (difference.status !== 0 || (filters.size > 0 && (await isFiltered(git, filters, path))));
  return { commits, isCommitted: isUnknown ? undefined : isThere && isSame };
}

/** What is stored of such a file is not its text. */
async function isFiltered(git: Git, filters: ReadonlySet<string>, path: string): Promise<boolean> {
  const { out } = await git(['check-attr', '-z', 'filter', '--', path]);
  const [, , filter = ''] = out.toString().split('\0');
  return filters.has(filter);
}

function commitsIn(out: string): FileCommit[] {
  const commits: FileCommit[] = [];
  for (const line of out.split('\n')) {
    const [, id = '', author = '', date = ''] = COMMIT.exec(line) ?? [];
    const at = Date.parse(date);
    if (id !== '' && !Number.isNaN(at)) {
      commits.push({ id, author: cut(oneLine(author), MAX_AUTHOR), at: timestamp(at), did: 'changed' });
    }
    const letters = STATUS.exec(line)?.[1];
    const last = commits.at(-1);
    // A merge of a side that has the file with one that has not is one that changed it.
    if (letters && last && /^[AD]+$/.test(letters)) {
      commits[commits.length - 1] = { ...last, did: letters.startsWith('A') ? 'brought' : 'took' };
    }
  }
  return commits;
}
