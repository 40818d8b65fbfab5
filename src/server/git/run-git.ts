/** Starts Git. */
import { devNull } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { unavailable } from '../base/errors';
import { isExecutable, lastingFolders } from '../base/executables';
import { isInside } from '../base/paths';
import { shownPath } from '../base/text';

/**
 * The one place that starts Git. A repository may come from a stranger, and its settings name programs; none of them is
 * run. What they are called in a repository of its own (filters, configured hooks) stands in `open-repository`.
 */
const NO_PROGRAMS = [
  // A clone may bring a repository as plain files, with settings that its author wrote. Unknown before Git 2.38.
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'diff.external=',
  // A device would be read until nothing is left of the memory.
  `diff.orderFile=${devNull}`,
  'log.showSignature=false',
  'submodule.recurse=false',
  // Without it, `git diff` writes the index, by what it believes while the filters are off.
  'diff.autoRefreshIndex=false',
].flatMap((setting) => ['-c', setting]);

/** What no setting of a repository wins over. */
const FIXED = {
  // No transport has this name. It wins over all settings, and over `ext::` and `core.sshCommand` with them.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  // What Git says is looked at, so it has to be in one language.
  LC_ALL: 'C',
};

/** With the first, `git config` reads another file than Git itself. */
const NOT_PASSED_ON = ['GIT_CONFIG', 'GIT_EXTERNAL_DIFF'];

const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
/** Settings may name a pipe, on which Git waits for ever. */
const LIMIT_MS = 60_000;

/** What `main/` hands in. */
export interface GitHost {
  /** The folders of PATH. */
  readonly searchPath: readonly string[];
  readonly environment: Environment;
  /** How long one start of Git may take, in milliseconds. */
  readonly limitMs?: number;
  /** Starts Git in place of this process: a large one takes longer to make a copy of itself than Git to answer. */
  readonly start?: StartProgram;
}

/** Runs a program to its end, without a shell. */
export type StartProgram = (
  program: string,
  args: readonly string[],
  around: { readonly cwd: string; readonly env: Environment; readonly input: string },
) => Promise<Ran>;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Ran {
  readonly status: number;
  readonly out: Buffer;
  readonly err: string;
}

/** Git in one folder, run without a shell; it writes nothing. */
export type Git = (args: readonly string[], input?: string) => Promise<Ran>;

export interface RunGit {
  /** As `findGit` gives it. */
  readonly program: string;
  readonly folder: string;
  readonly environment: Environment;
  /** Settings that win over those of the repository: `name=value`. */
  readonly settings: readonly string[];
  readonly signal: AbortSignal;
  readonly limitMs?: GitHost['limitMs'];
  readonly start?: GitHost['start'];
}

export function runGit(
  { program, folder, environment, settings, signal, limitMs = LIMIT_MS, start }: RunGit,
  args: readonly string[],
  input = '',
): Promise<Ran> {
  const options = [
    ...['--no-optional-locks', '--literal-pathspecs', '--no-pager', ...NO_PROGRAMS],
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const env = { ...without(environment, NOT_PASSED_ON), ...FIXED };
  if (start) return start(program, [...options, ...args], { cwd: folder, env, input });
  return new Promise((resolve, reject) => {
    // Loaded here, because a hook that does not ask Git is waited for.
    const { execFile } = require('node:child_process') as typeof import('node:child_process');
    const child = execFile(
      program,
      [...options, ...args],
      {
        ...{ cwd: folder, env, signal, encoding: 'buffer', maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true },
        ...{ timeout: limitMs, killSignal: 'SIGKILL' },
      },
      (error, out, err) => {
        if (!error) resolve({ status: 0, out, err: err.toString() });
        else if (typeof error.code === 'number') resolve({ status: error.code, out, err: err.toString() });
        else if (signal.aborted) reject(error);
        else if (child.signalCode === 'SIGKILL') reject(tookTooLong(folder, limitMs));
        else reject(unreadable(folder));
      },
    );
    // Git may end before it has read everything; its exit status says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/**
 * The absolute path of Git. A folder of PATH that is relative, or lies in the project, or is one that npx adds may hold
 * a `git` that came with the project.
 * @throws SvcError unavailable
 */
export function findGit(searchPath: readonly string[], root: string): string {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const found = lastingFolders(searchPath)
    .filter((folder) => isAbsolute(folder) && !isInside(root, folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
  if (found === undefined) throw noGit();
  return found;
}

export function without(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

export const noGit = () =>
  unavailable('Git was not found', 'Install it, or put it on the PATH; "svc-memory verify-staleness" needs no Git');

const tookTooLong = (root: string, limitMs: number) =>
  unavailable(
    `Git did not answer within ${limitMs / 1_000} seconds in ${shownPath(root)} and was stopped`,
    'Try "git status", and look in "git config --list --show-origin" for a setting that names a pipe',
  );

export const unreadable = (root: string) =>
  unavailable(`Git cannot read the repository around ${shownPath(root)}`, 'Check it with "git status" and "git fsck"');
