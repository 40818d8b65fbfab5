/** Reads the messages of commits. */
import type { Repository } from './open-repository';
import { unreadable } from './run-git';

export interface LoggedCommit {
  readonly id: string;
  readonly author: string;
  /** As Git writes it: ISO 8601, with a zone. */
  readonly date: string;
  readonly subject: string;
  readonly body: string;
}

export interface CommitWithFiles extends LoggedCommit {
  /** Relative to the folder that Git is run in; what lies outside of it is left out. */
  readonly files: readonly string[];
}

/** Of one message; a longer one is cut. */
const MAX_MESSAGE = 20_000;
/** Of one commit. */
const MAX_FILES = 50;
const FORMAT = '--format=%H%x00%an%x00%aI%x00%B%x00';

/**
 * Commits from HEAD back, the newest first, without merges.
 * @param most how many are looked at
 * @param isWanted which of them are kept
 * @param mostKept of the newest
 * @throws SvcError unavailable
 */
export async function readLog(
  { git, root }: Repository,
  most: number,
  isWanted: (commit: LoggedCommit) => boolean,
  mostKept: number,
): Promise<CommitWithFiles[]> {
  const { status, out } = await git([
    'log',
    '--no-merges',
    `--max-count=${most}`,
    '--no-color',
    '-z',
    FORMAT,
    'HEAD',
    '--',
  ]);
  if (status !== 0) throw unreadable(root);
  const kept: LoggedCommit[] = [];
  for (const commit of commitsIn(out.toString())) {
    if (isWanted(commit)) kept.push(commit);
    if (kept.length === mostKept) break;
  }
  if (kept.length === 0) return [];
  const files = await filesOf({ git, root }, kept);
  return kept.map((commit) => ({ ...commit, files: files.get(commit.id) ?? [] }));
}

/** What the message of a commit says below its subject, without the trailers at its end; empty where it says nothing. */
export async function readBody({ git }: Pick<Repository, 'git'>, id: string): Promise<string> {
  const { status, out } = await git(['log', '--max-count=1', '--no-color', '-z', FORMAT, id, '--']);
  const [commit] = status === 0 ? commitsIn(out.toString()) : [];
  const body = commit?.body ?? '';
  // Above, a line that looks like one may be part of what is said.
  const last = body.lastIndexOf('\n\n') + 1;
  return (body.slice(0, last) + withoutTrailers(body.slice(last))).trim();
}

const TRAILER =
  /^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|change-id|closes|fixes|refs?|see|cc|link|pr-url|reviewed-on)(?::| #).*$/i;

export function withoutTrailers(body: string): string {
  return body
    .split('\n')
    .filter((line) => !TRAILER.test(line))
    .join('\n')
    .trim();
}

/** Each field ends with a NUL, and so does each commit. */
function* commitsIn(out: string): Generator<LoggedCommit> {
  const fields = out.split('\0');
  for (let i = 0; i + 3 < fields.length; i += 5) {
    const [id = '', author = '', date = '', message = ''] = fields.slice(i, i + 4);
    const text = message.slice(0, MAX_MESSAGE).replace(/\r\n?/g, '\n');
    const end = text.indexOf('\n');
    const subject = (end < 0 ? text : text.slice(0, end)).trim();
    yield { id, author, date, subject, body: end < 0 ? '' : text.slice(end + 1).trim() };
  }
}

async function filesOf(
  { git, root }: Pick<Repository, 'git' | 'root'>,
  commits: readonly LoggedCommit[],
): Promise<Map<string, string[]>> {
  const { status, out } = await git(
    ['diff-tree', '--stdin', '--root', '-r', '--name-only', '--relative', '--no-renames', '-z', '--no-ext-diff'],
    commits.map(({ id }) => `${id}\n`).join(''),
  );
  if (status !== 0) throw unreadable(root);
  const known = new Set(commits.map(({ id }) => id));
  const files = new Map<string, string[]>();
  let open: string[] = [];
  for (const field of out.toString().split('\0')) {
    const id = field.trimEnd();
    if (known.has(id)) {
      open = [];
      files.set(id, open);
    } else if (field !== '' && open.length < MAX_FILES) open.push(field);
  }
  return files;
}
