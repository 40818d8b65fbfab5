// Histories of code that nobody planned: what people do with files, with Git and with memories, in any order.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { type FollowedRepository, openFollowed } from './followed-repository';
import type { Random } from './random';
import { startedSmall } from './small-starter';

/** The first three hold functions at the beginning. */
const FILES = ['src/a.ts', 'src/b.ts', 'lib/c.ts', 'lib/deep/d.ts', 'src/new/e.ts', 'tools/f.ts', 'g.ts'];
/** What the functions of some files stand in. */
const AROUND: Readonly<Record<string, string>> = { 'lib/deep/d.ts': 'Deep', 'g.ts': 'All' };
const NAMES = ['load', 'save', 'parse', 'format', 'open', 'close'];
const MOST_BRANCHES = 6;
const MOST_TREES = 3;

/** A work tree, and a program that has it open all the time. */
export type Tree = FollowedRepository & { close?(): Promise<void> };

/** One repository with its work trees, and the memories of their store. */
export interface History {
  readonly random: Random;
  readonly trees: Tree[];
  readonly home: string;
  readonly ids: string[];
  /** What was done, to be read when a sequence fails. */
  readonly done: string[];
}

export function sourceOf(name: string, version: number): string {
  return `export function ${name}(input: string[]): string[] {
  const kept = input.filter((part) => part.length > ${version});
  for (const part of kept) note('${name}', part, ${version});
  return kept.map((part) => part.trim()).sort();
}
`;
}

/** The functions that a history begins with, by file. */
export function firstSources(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [i, name] of NAMES.entries()) {
    const path = FILES[i % 3] ?? '';
    texts[path] = [...(texts[path] === undefined ? [] : [texts[path]]), sourceOf(name, 1)].join('\n');
  }
  return texts;
}

const SETTINGS = [
  ...['user.name=test', 'user.email=test@localhost', 'advice.detachedHead=false', 'core.editor=true'],
  // Another start of Git after each step, which finds nothing to do.
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);
const ENVIRONMENT = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull };

/** What Git prints; undefined where it refuses, which is no fault of a step. */
export async function tryGit(
  { folder: cwd }: Pick<Tree, 'folder'>,
  args: readonly string[],
  input = '',
): Promise<string | undefined> {
  const { status, out } = await startedSmall('git', [...SETTINGS, ...args], { cwd, env: ENVIRONMENT, input });
  return status === 0 ? out.toString() : undefined;
}

/** The functions of a file, each with its text. */
function chunksOf(tree: Tree, path: string): string[] {
  const file = join(tree.folder, path);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .replace(/^export namespace \w+ \{\n([\s\S]*)\}\n$/, '$1')
    .split(/^(?=export function )/m)
    .map((chunk) => `${chunk.trimEnd()}\n`)
    .filter((chunk) => chunk !== '\n');
}

async function put(tree: Tree, path: string, chunks: readonly string[]): Promise<void> {
  const text = chunks.join('\n');
  if (chunks.length === 0) rmSync(join(tree.folder, path), { force: true });
  else await tree.write(path, path in AROUND ? `export namespace ${AROUND[path]} {\n${text}}\n` : text);
}

/** One change of the working files, as a person or an agent would make it. */
async function edit(tree: Tree, random: Random): Promise<string> {
  const path = random.of(FILES);
  const other = random.of(FILES);
  const chunks = chunksOf(tree, path);
  const at = random.below(Math.max(chunks.length, 1));
  const chunk = chunks[at];
  if (chunk === undefined) {
    const name = random.of(NAMES);
    await put(tree, path, [sourceOf(name, random.below(4))]);
    return `${name} is new in ${path}`;
  }
  const name = /^export function (\w+)/.exec(chunk)?.[1] ?? '';
  const move = async (moved: readonly string[]): Promise<void> => {
    if (other === path) return;
    const there = chunksOf(tree, other);
    await put(tree, other, [...there, ...moved]);
    await put(
      tree,
      path,
      chunks.filter((one) => !moved.includes(one)),
    );
  };
  switch (random.below(8)) {
    case 0:
      await move([chunk]);
      return `${name} moves from ${path} to ${other}`;
    case 1:
      await move([sourceOf(name, 1 + random.below(5))]);
      return `${name} is copied with another text from ${path} to ${other}`;
    case 2:
      await move(chunks);
      return `${path} is renamed to, or joins, ${other}`;
    case 3: {
      const called = `${random.of(NAMES)}${random.of(['', '', '1', '2'])}`;
      await put(tree, path, chunks.with(at, chunk.replaceAll(name, called)));
      return `${name} of ${path} is called ${called}`;
    }
    case 4:
      await put(tree, path, chunks.toSpliced(at, 1));
      return `${name} is taken out of ${path}`;
    case 5:
      await put(tree, path, [...chunks].reverse());
      return `${path} is put in another order`;
    default: {
      const version = String(random.below(5));
      await put(tree, path, chunks.with(at, chunk.replaceAll(/\d+(?=\))/g, version)));
      return `${name} of ${path} becomes version ${version}`;
    }
  }
}

/** By the files of the repository, in which nothing packs them. */
function branchesOf({ trees }: History): string[] {
  const found = readdirSync(join(trees[0]?.folder ?? '', '.git/refs/heads')).sort();
  // All of them may have been deleted, from a HEAD that is on none.
  return found.length > 0 ? found : ['HEAD'];
}

async function commit(tree: Tree, ...options: string[]): Promise<void> {
  await tryGit(tree, ['add', '-A']);
  await tryGit(tree, ['commit', '--allow-empty', '-m', 'a step', ...options]);
}

/** Those that Git undoes where it cannot carry them out. */
async function onto(tree: Tree, random: Random, branch: string): Promise<string> {
  const [what, back] = random.of([
    [
      ['merge', '--no-edit', branch],
      ['merge', '--abort'],
    ],
    [
      ['merge', '--no-edit', '--no-ff', '-X', 'theirs', branch],
      ['merge', '--abort'],
    ],
    [
      ['merge', '--squash', '-X', 'ours', branch],
      ['reset', '--hard'],
    ],
    [
      ['rebase', branch],
      ['rebase', '--abort'],
    ],
    [
      ['rebase', '-X', 'theirs', branch],
      ['rebase', '--abort'],
    ],
    [
      ['cherry-pick', '-X', 'theirs', branch],
      ['cherry-pick', '--abort'],
    ],
    [
      ['revert', '--no-edit', 'HEAD'],
      ['revert', '--abort'],
    ],
  ]);
  const worked = (await tryGit(tree, what)) !== undefined;
  if (!worked) await tryGit(tree, back);
  else if (what[1] === '--squash') await commit(tree);
  return `git ${what.join(' ')}${worked ? '' : ' is given up'}`;
}

async function addTree(history: History): Promise<string> {
  const [main] = history.trees;
  if (!main || history.trees.length >= MOST_TREES) return 'enough work trees';
  const number = history.done.length;
  const folder = join(main.folder, '..', `tree-${number}`);
  const how = history.random.of([['-b', `tree-${number}`], ['--detach']]);
  if ((await tryGit(main, ['worktree', 'add', folder, ...how])) === undefined) return 'no work tree';
  const tree = await openFollowed({ folder, home: history.home });
  await tree.build();
  history.trees.push(tree);
  return `git worktree add ${how.join(' ')}`;
}

/** The memory is of code that is committed: what is linked to other code goes by what the graph has seen. */
async function remember(tree: Tree, { ids, random }: History): Promise<string> {
  if ((await tryGit(tree, ['status', '--porcelain'])) !== '') return 'nothing is remembered of uncommitted code';
  const path = random.of(FILES);
  const chunk = chunksOf(tree, path)[0];
  const name = /^export function (\w+)/.exec(chunk ?? '')?.[1];
  if (name === undefined) return `nothing is in ${path}`;
  await tree.build();
  const entity = `${path}#${path in AROUND ? `${AROUND[path]}.` : ''}${name}`;
  ids.push(await tree.remember(entity));
  return `remember ${entity}`;
}

async function triedOn(tree: Tree, branch: string, ...what: string[]): Promise<string> {
  const worked = (await tryGit(tree, [...what, branch])) !== undefined;
  return `git ${what.join(' ')} ${branch}${worked ? '' : ' is refused'}`;
}

async function act(tree: Tree, history: History): Promise<string> {
  const { random, ids } = history;
  const branch = (): string => random.of(branchesOf(history));
  switch (random.below(24)) {
    case 0:
    case 1:
      await tree.build();
      return 'build';
    case 2:
      await tree.refresh('src', 'lib');
      return 'save';
    case 3:
      dropGraph(tree);
      await tree.build();
      return 'graph.db is dropped, build';
    case 4: {
      const id = random.of(ids);
      await tree.call('memory_verify', { node_id: id, status: 'confirm' });
      return `confirm memory ${ids.indexOf(id)}`;
    }
    case 5:
      return remember(tree, history);
    case 6:
      await tryGit(tree, ['stash', 'push', '--include-untracked']);
      return 'git stash push';
    case 7:
      if ((await tryGit(tree, ['stash', 'pop'])) === undefined) await tryGit(tree, ['reset', '--hard']);
      return 'git stash pop';
    case 8:
    case 9:
    case 10:
      return triedOn(tree, branch(), 'checkout');
    case 11: {
      if (branchesOf(history).length >= MOST_BRANCHES) return 'enough branches';
      const name = `branch-${history.done.length}`;
      await tryGit(tree, ['checkout', '-b', name]);
      return `git checkout -b ${name}`;
    }
    case 12:
      return triedOn(tree, branch(), 'branch', '-D');
    case 13:
    case 14:
    case 15:
      return onto(tree, random, branch());
    case 16:
      await commit(tree, '--amend');
      return 'git commit --amend';
    case 17:
      await tryGit(tree, ['checkout', '--detach', 'HEAD~1']);
      return 'git checkout --detach HEAD~1';
    case 18:
      return addTree(history);
    default: {
      const what = await edit(tree, random);
      if (random.below(4) === 0) return what;
      await commit(tree);
      return `${what}, committed`;
    }
  }
}

/** Some changes that nobody built, so that the graph is behind. */
export async function changeFiles(tree: Tree, { random, done }: History): Promise<void> {
  for (let i = random.below(3); i > 0; i--) done.push(`at the end: ${await edit(tree, random)}`);
}

export async function step(history: History): Promise<void> {
  const tree = history.random.of(history.trees);
  const place = history.trees.length > 1 ? `${history.trees.indexOf(tree)}: ` : '';
  history.done.push(place + (await act(tree, history)));
}

export function dropGraph({ folder }: Pick<Tree, 'folder'>): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, '.svc', `graph.db${suffix}`), { force: true });
}
