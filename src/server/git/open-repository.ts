/** Opens a Git repository with all of its programs switched off. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { unavailable } from '../base/errors';
import { isSame } from '../base/paths';
import { quoted, shownPath } from '../base/text';
import {
  type Environment,
  findGit,
  type Git,
  type GitHost,
  noGit,
  type RunGit,
  runGit,
  unreadable,
  without,
} from './run-git';

/** A Git repository in which no program of its settings runs. */
export interface Repository {
  /** The folder that Git is run in: the work tree, or one of its folders. */
  readonly root: string;
  /** The path of `root` in the work tree: empty, or ends in a slash. */
  readonly prefix: string;
  /** The file of its index, which need not be there. */
  readonly index: string;
  readonly git: Git;
  /** The configured filters. They are off, so stored texts may differ from the working files. */
  readonly filters: ReadonlySet<string>;
  /** Git with this file for its index. */
  withIndex(file: string): Git;
  /** @param path the folder of a repository inside this one, relative to `root` */
  nested(path: string): Promise<Repository>;
}

export interface OpenRepository {
  readonly root: string;
  readonly host: GitHost | undefined;
  readonly signal: AbortSignal;
}

/**
 * The variables in which Git tells a hook about the repository that it runs for (`git rev-parse --local-env-vars`,
 * without those that hold for every repository). They are wrong for other repositories, and GIT_DIR alone is right only
 * for the folder that Git was started in.
 */
const OF_ONE_REPOSITORY = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_IMPLICIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_PREFIX', 'GIT_INDEX_FILE'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE'],
];

/** Nobody works with more; the settings that switch them off have to fit into one command. */
const MAX_SWITCHED_OFF = 60;
const MAX_NAME_LENGTH = 100;

/** @throws SvcError unavailable without Git or a repository, or when its programs cannot be switched off */
export async function openRepository({ root, host, signal }: OpenRepository): Promise<Repository> {
  if (!host) throw noGit();
  const { environment, limitMs, start: startProgram } = host;
  const program = findGit(host.searchPath, root);
  const anywhere = without(environment, OF_ONE_REPOSITORY);
  const open = async (folder: string, inherited: Environment, otherIndex?: NamedIndex): Promise<Repository> => {
    const start = { program, folder, environment: inherited, settings: [], signal, limitMs, start: startProgram };
    const { gitFolder, prefix, indexFile } = await requireRepository(start);
    const named = indexOf(environment, gitFolder) ?? otherIndex;
    const off = await switchOff({ ...start, environment: { ...inherited, ...named } });
    const index = resolve(folder, named?.GIT_INDEX_FILE ?? indexFile);
    return { ...off, root: folder, prefix, index, nested: (path) => open(join(folder, path), anywhere) };
  };
  // Both together say where the repository is, wherever Git is started.
  const isNamed = environment.GIT_DIR !== undefined && environment.GIT_WORK_TREE !== undefined;
  return open(root, isNamed ? environment : anywhere, indexOfNobody(environment));
}

interface NamedIndex {
  readonly GIT_INDEX_FILE: string;
}

/** A commit may be made from another index than the repository's own; it lies in the repository's folder. */
function indexOf({ GIT_INDEX_FILE }: Environment, gitFolder: string): NamedIndex | undefined {
  const isIts =
    GIT_INDEX_FILE !== undefined && isAbsolute(GIT_INDEX_FILE) && isSame(dirname(GIT_INDEX_FILE), gitFolder);
  return isIts ? { GIT_INDEX_FILE } : undefined;
}

/** One that lies in no repository's folder, or that an older Git names without its folder. */
function indexOfNobody({ GIT_INDEX_FILE }: Environment): NamedIndex | undefined {
  if (GIT_INDEX_FILE === undefined) return undefined;
  if (isAbsolute(GIT_INDEX_FILE) && existsSync(join(dirname(GIT_INDEX_FILE), 'HEAD'))) return undefined;
  return { GIT_INDEX_FILE };
}

/** @throws SvcError unavailable */
async function requireRepository(start: RunGit): Promise<Record<'gitFolder' | 'prefix' | 'indexFile', string>> {
  const asked = ['rev-parse', '--is-inside-work-tree', '--absolute-git-dir', '--show-prefix', '--git-path', 'index'];
  const { status, out, err } = await runGit(start, asked);
  const [inside, gitFolder = '', prefix = '', indexFile = ''] = out.toString().split('\n');
  if (status === 0 && inside === 'true') return { gitFolder, prefix, indexFile };
  const root = start.folder;
  if (/dubious ownership/.test(err)) {
    throw unavailable(
      `Git refuses to read ${shownPath(root)}, because it belongs to another user`,
      `Allow it with: git config --global --add safe.directory ${quoted(root)}`,
    );
  }
  if (/safe\.bareRepository/.test(err)) {
    throw unavailable(
      `Git is not run in ${shownPath(root)}: the folder itself is a bare repository, and its settings could start programs`,
      'Find out who put HEAD, objects and refs there. If nobody needs them, remove them and check again',
    );
  }
  throw unavailable(
    `The project ${shownPath(root)} is not in a Git repository`,
    'Run the command in a clone; "svc-memory verify-staleness" judges working files without Git',
  );
}

const ATTRIBUTES = 'core.attributesfile';
const NAMED = `^(filter|hook)\\.|^${ATTRIBUTES}$`;

/** Filters and hooks have names of their own, so they are switched off one by one. */
async function switchOff(start: RunGit): Promise<Pick<Repository, 'git' | 'filters' | 'withIndex'>> {
  const root = start.folder;
  const asked = await runGit(start, ['config', '--name-only', '-z', '--get-regexp', NAMED]);
  // Status 1 means that there are no such settings.
  if (asked.status > 1) throw unreadable(root);
  const keys = asked.out.toString().split('\0').filter(Boolean);
  const [filters, hooks] = [namesIn(keys, 'filter'), namesIn(keys, 'hook')];
  const names = [...filters, ...hooks];
  // In a setting for one command, the first "=" ends its name. What is not in UTF-8 cannot be named again as it is.
  const isOut = (name: string): boolean => /[=\ufffd]/.test(name) || name.length > MAX_NAME_LENGTH;
  if (names.length > MAX_SWITCHED_OFF || names.some(isOut)) {
    throw unavailable(
      `The Git settings of ${shownPath(root)} name programs that cannot be switched off`,
      `See "git config --show-origin --get-regexp ^filter": at most ${MAX_SWITCHED_OFF} may have a name, in UTF-8 and without "="`,
    );
  }
  const settings = [
    ...[...filters].flatMap((name) => [
      ...['clean', 'smudge', 'process'].map((program) => `filter.${name}.${program}=`),
      `filter.${name}.required=false`,
    ]),
    // Hooks that are settings are new in Git 2.54; core.hooksPath does not stop them.
    ...[...hooks].flatMap((name) => [`hook.${name}.enabled=false`]),
    ...(keys.includes(ATTRIBUTES) ? await withoutDevice(start) : []),
  ];
  const withIndex = (GIT_INDEX_FILE: string): Git => {
    const environment = { ...start.environment, GIT_INDEX_FILE };
    return (args, input) => runGit({ ...start, environment, settings }, args, input);
  };
  return { filters, git: (args, input) => runGit({ ...start, settings }, args, input), withIndex };
}

/** Git would read a device for attributes until nothing is left of the memory. */
async function withoutDevice(start: RunGit): Promise<string[]> {
  const { out } = await runGit(start, ['config', '-z', '--path', '--get', ATTRIBUTES]);
  const [path = ''] = out.toString().split('\0');
  const { out: top } = await runGit(start, ['rev-parse', '--show-toplevel']);
  const file = resolve(top.toString().replace(/\r?\n$/, ''), path);
  return (await isFile(file)) ? [] : [`core.attributesFile=${devNull}`];
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** `<section>.<name>.<variable>`; the name may be empty, or have dots. */
function namesIn(keys: readonly string[], section: string): Set<string> {
  return new Set(
    keys.flatMap((key) => {
      const end = key.lastIndexOf('.');
      return key.startsWith(`${section}.`) && end > section.length ? [key.slice(section.length + 1, end)] : [];
    }),
  );
}
