import { execFile } from 'node:child_process';
import { unavailable } from '../base/errors';
import { quoted, shownPath } from '../base/text';

/** What the configuration of a repository would have Git run. */
const NO_PROGRAMS = ['-c', 'core.fsmonitor=false'];
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

export interface Ran {
  readonly status: number;
  readonly out: Buffer;
  readonly err: string;
}

/** Git in one folder, run without a shell; it writes nothing. */
export type Git = (args: readonly string[], input?: string) => Promise<Ran>;

export function runGit(root: string, args: readonly string[], signal: AbortSignal, input?: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['--no-optional-locks', '--literal-pathspecs', ...NO_PROGRAMS, ...args],
      { cwd: root, signal, encoding: 'buffer', maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true },
      (error, out, err) => {
        if (!error) resolve({ status: 0, out, err: err.toString() });
        else if (typeof error.code === 'number') resolve({ status: error.code, out, err: err.toString() });
        else if (signal.aborted) reject(error);
        else reject(error.code === 'ENOENT' ? noGit() : unreadable(root));
      },
    );
    // Git may end before it has read everything; its status tells why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}

/** @throws SvcError unavailable */
export async function requireRepository(git: Git, root: string): Promise<void> {
  const inside = await git(['rev-parse', '--is-inside-work-tree']);
  if (inside.status === 0 && inside.out.toString().trim() === 'true') return;
  if (/dubious ownership/.test(inside.err)) {
    throw unavailable(
      `Git refuses to read ${shownPath(root)}, because it belongs to another user`,
      `Allow it with: git config --global --add safe.directory ${quoted(root)}`,
    );
  }
  throw unavailable(
    `The project ${shownPath(root)} is not in a Git repository`,
    'Run it in a clone; "svc-memory verify-staleness" judges working files without Git',
  );
}

const noGit = () =>
  unavailable('Git was not found', 'Install it, or put it on the PATH; "svc-memory verify-staleness" needs no Git');

export const unreadable = (root: string) =>
  unavailable(`Git cannot read the repository around ${shownPath(root)}`, 'Check it with "git status" and "git fsck"');
