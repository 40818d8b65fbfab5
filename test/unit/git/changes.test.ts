import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nothingKnown, openPast, type Past } from '../../../src/server/git/past';
import type { StartProgram } from '../../../src/server/git/run-git';

const base = mkdtempSync(join(tmpdir(), 'svc-changes-'));
const folder = join(base, 'repository');
const FILES = ['a.txt', 'b.txt', '[id].txt', 'below/c.txt'];

let date = 1_700_000_000;
function gitAt(cwd: string, ...args: string[]): string {
  const at = `${++date} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const options = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  return execFileSync('git', [...options, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();
}
const git = (...args: string[]): string => gitAt(folder, ...args);

function commit(text: string, ...paths: string[]): string {
  for (const path of paths) writeFileSync(join(folder, path), text);
  git('add', '-A');
  git('commit', '--allow-empty', '-m', text);
  return git('rev-parse', 'HEAD');
}

let starts: string[] = [];
const start: StartProgram = async (program, args, { cwd, env, input }) => {
  starts.push(args.join(' '));
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, input });
  return { status: status ?? 1, out: stdout, err: stderr.toString() };
};
const environment = { HOME: base, GIT_CONFIG_NOSYSTEM: '1' };

async function past(root: string, known: ReturnType<typeof nothingKnown>, ...commits: string[]): Promise<Past> {
  const host = { searchPath: (process.env.PATH ?? '').split(delimiter), environment, start };
  const found = await openPast(root, host, known, commits);
  if (!found) throw new Error('there is a repository');
  return found.look();
}

const byGit = (from: string, path: string, ...which: string[]): string[] =>
  git('--literal-pathspecs', 'rev-list', '--full-history', ...which, 'HEAD', `^${from}`, '--', path)
    .split('\n')
    .filter(Boolean);

let first = '';
let linked = '';
beforeAll(() => {
  mkdirSync(join(folder, 'below'), { recursive: true });
  git('init', '--initial-branch=main');
  first = commit('first', ...FILES);
  // A branch that began before a link was made, one that began after it, and one that lost against HEAD.
  git('checkout', '-b', 'older');
  commit('older', 'b.txt');
  git('checkout', 'main');
  linked = commit('linked', 'a.txt');
  git('checkout', '-b', 'younger');
  commit('younger', 'below/c.txt');
  commit('and back', 'a.txt', '[id].txt');
  git('checkout', 'main');
  commit('changed', 'a.txt', 'below/c.txt');
  git('merge', '--no-ff', '-m', 'merge older', 'older');
  git('merge', '--no-ff', '-s', 'ours', '-m', 'merge younger', 'younger');
  commit('last', 'b.txt');
  // What the user is shown is not what is asked for.
  for (const [setting, value] of [
    ['log.diffMerges', 'first-parent'],
    ['log.follow', 'true'],
    ['log.decorate', 'full'],
    ['log.abbrevCommit', 'true'],
  ]) {
    git('config', setting ?? '', value ?? '');
  }
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('the commits that have changed a file', () => {
  it('are those that Git names for it alone', async () => {
    const commits = [first, linked, git('rev-parse', 'younger'), git('rev-parse', 'older'), git('rev-parse', 'HEAD')];
    const found = await past(folder, nothingKnown(), ...commits);
    for (const from of commits) {
      for (const path of FILES) {
        expect(await found.changesSince(from, path)).toEqual(byGit(from, path));
        expect(await found.changesAfter(from, path)).toEqual(byGit(from, path, '--ancestry-path'));
      }
    }
    const below = await past(join(folder, 'below'), nothingKnown(), linked);
    expect(await below.changesAfter(linked, 'c.txt')).toEqual(byGit(linked, 'below/c.txt', '--ancestry-path'));
  });

  it('are read with one start of Git for many files, and not again before HEAD is another commit', async () => {
    const known = nothingKnown();
    const ask = async (isRead: boolean): Promise<number> => {
      const found = await past(folder, known, linked);
      await found.follow(linked, 'a.txt');
      starts = [];
      // The first one leads out of the repository.
      if (isRead) await found.readChanges(['../a.txt', 'a\nb', '', ...FILES]);
      for (const path of FILES) {
        expect(await found.changesAfter(linked, path)).toEqual(byGit(linked, path, '--ancestry-path'));
      }
      return starts.length;
    };
    expect([await ask(true), await ask(true), await ask(false)]).toEqual([1, 0, 0]);
    commit('one more', 'a.txt');
    expect([await ask(true), await ask(false)]).toEqual([1, 0]);
    git('commit', '--amend', '-m', 'amended');
    expect([await ask(true), await ask(false)]).toEqual([1, 0]);
  });

  it('are others where a clone gets older commits', async () => {
    git('checkout', '-b', 'ends', linked);
    git('checkout', '-b', 'long');
    const middle = commit('middle', 'a.txt');
    const end = commit('end', 'a.txt');
    git('checkout', 'ends');
    git('merge', '--no-ff', '-m', 'merge long', 'long');
    const clone = join(base, 'clone');
    gitAt(base, 'clone', '--depth', '2', pathToFileURL(folder).href, clone);
    const known = nothingKnown();
    const ask = async () => (await past(clone, known, linked)).changesAfter(linked, 'a.txt');
    const head = git('rev-parse', 'HEAD');
    expect(await ask()).toEqual([head]);
    gitAt(clone, 'fetch', '--unshallow');
    expect(await ask()).toEqual([head, end, middle]);
    expect(await ask()).toEqual(byGit(linked, 'a.txt', '--ancestry-path'));
  });
});
