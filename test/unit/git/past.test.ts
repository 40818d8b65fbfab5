import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headCommit } from '../../../src/server/git/head-commit';
import type { FileThen } from '../../../src/server/git/known-blobs';
import { nothingKnown, openPast, type Past } from '../../../src/server/git/past';

const base = mkdtempSync(join(tmpdir(), 'svc-past-'));
const folder = join(base, 'repository');
const host = {
  searchPath: (process.env.PATH ?? '').split(delimiter),
  environment: { HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
};

function git(...args: string[]): string {
  const options = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  return execFileSync('git', [...options, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();
}

async function past(...commits: string[]): Promise<Past> {
  const found = await openPast(folder, host, nothingKnown(), [first, ...commits]);
  if (!found) throw new Error('there is a repository');
  return found.look();
}

const textOf = (file: FileThen | undefined) => (typeof file === 'object' ? file.text : file);
const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('');
let first = '';

beforeAll(() => {
  mkdirSync(folder);
  git('init', '--initial-branch=main');
  writeFileSync(join(folder, 'a.txt'), lines(50));
  writeFileSync(join(folder, 'kept.txt'), 'kept\n');
  git('add', '-A');
  git('commit', '-m', 'first');
  first = git('rev-parse', 'HEAD');
  git('mv', 'a.txt', 'b.txt');
  git('commit', '-m', 'renamed');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('the past of a project', () => {
  it('follows renames from a commit to the working files, those that nobody has added included', async () => {
    expect(await (await past()).follow(first, 'a.txt')).toBe('b.txt');
    renameSync(join(folder, 'b.txt'), join(folder, 'c d.txt'));
    expect(await (await past()).follow(first, 'a.txt')).toBe('c d.txt');
    expect(git('status', '--porcelain')).toBe('D b.txt\n?? "c d.txt"');
    renameSync(join(folder, 'c d.txt'), join(folder, 'b.txt'));
    expect(await (await past()).follow(first, 'kept.txt')).toBe('kept.txt');
  });

  it('writes nothing into the repository, though its index is to be split', async () => {
    git('config', 'core.splitIndex', 'true');
    const listed = (): string[] => readdirSync(join(folder, '.git')).filter((name) => name.startsWith('sharedindex'));
    git('update-index', '--split-index');
    const before = listed();
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    expect(await (await past()).follow(first, 'a.txt')).toBe('b.txt');
    expect(listed()).toEqual(before);
    rmSync(join(folder, 'new.txt'));
    git('update-index', '--no-split-index');
    git('config', '--unset', 'core.splitIndex');
  });

  it('follows them from commit to commit where the whole way is too far', async () => {
    writeFileSync(join(folder, 'b.txt'), lines(50) + 'more\n'.repeat(500));
    git('commit', '-am', 'more');
    git('mv', 'b.txt', 'e.txt');
    git('commit', '-m', 'renamed again');
    expect(await (await past()).follow(first, 'a.txt')).toBe('e.txt');
  });

  it('follows them beside a commit that has no history in common with them', async () => {
    git('checkout', '--orphan', 'apart');
    git('commit', '-m', 'apart');
    const apart = git('rev-parse', 'HEAD');
    git('checkout', 'main');
    const found = await past(apart);
    expect(await found.follow(first, 'a.txt')).toBe('e.txt');
    expect(await found.follow(apart, 'a.txt')).toBe('a.txt');
    git('branch', '-D', 'apart');
  });

  it('compares the working files for each question', async () => {
    const opened = await openPast(folder, host, nothingKnown(), [first]);
    expect(await opened?.look().isAsNow(first, 'kept.txt')).toBe(true);
    writeFileSync(join(folder, 'kept.txt'), 'not kept\n');
    expect(await opened?.look().isAsNow(first, 'kept.txt')).toBe(false);
    writeFileSync(join(folder, 'kept.txt'), 'kept\n');
    // A program that its settings name by now is not run.
    const ran = join(base, 'ran');
    git('config', 'filter.late.clean', `touch '${ran}'; cat`);
    writeFileSync(join(folder, '.gitattributes'), '* filter=late\n');
    writeFileSync(join(folder, 'kept.txt'), 'KEPT\n');
    expect(await opened?.look().isAsNow(first, 'kept.txt')).toBe(false);
    expect(existsSync(ran)).toBe(false);
    rmSync(join(folder, '.gitattributes'));
    git('config', '--remove-section', 'filter.late');
    writeFileSync(join(folder, 'kept.txt'), 'kept\n');
  });

  it('says where a file comes from, also where another one has its name by now', async () => {
    expect(await (await past()).origins(first, 'e.txt')).toEqual(['e.txt', 'a.txt']);
    writeFileSync(join(folder, 'a.txt'), 'another file\n');
    expect(await (await past()).origins(first, 'a.txt')).toEqual(['a.txt']);
    renameSync(join(folder, 'e.txt'), join(folder, 'f.txt'));
    expect(await (await past()).origins(first, 'f.txt')).toEqual(['f.txt', 'a.txt']);
    renameSync(join(folder, 'f.txt'), join(folder, 'e.txt'));
    rmSync(join(folder, 'a.txt'));
  });

  it('has the files of its commits', async () => {
    const asked = ['kept.txt', 'a.txt', 'none.txt', 'a\nline'];
    const found = async () => {
      git('status');
      const looked = await past();
      const files = await looked.filesAt(asked.map((path) => [first, path]));
      const isNow = await Promise.all(asked.map((path) => looked.isAsNow(first, path)));
      return Object.fromEntries(asked.map((path, i) => [path, [textOf(files[i]), isNow[i]]]));
    };
    const then = {
      'kept.txt': ['kept\n', true],
      'a.txt': [lines(50), false],
      'none.txt': ['none', false],
      'a\nline': ['unreadable', false],
    };
    expect(await found()).toEqual(then);
    for (const changed of [true, false]) {
      writeFileSync(join(folder, 'kept.txt'), 'not kept\n');
      if (changed) git('commit', '-am', 'kept no longer');
      expect(await found()).toEqual({ ...then, 'kept.txt': ['kept\n', false] });
      writeFileSync(join(folder, 'kept.txt'), 'kept\n');
      if (changed) git('commit', '-am', 'kept again');
    }
    expect(await found()).toEqual(then);
  });

  it('sees an edit of the same size in the second of a checkout, beside files that nobody has added', async () => {
    const then = new Date('2026-01-01T00:00:00Z');
    const kept = join(folder, 'kept.txt');
    const written = (text: string): void => {
      writeFileSync(kept, text);
      utimesSync(kept, then, then);
    };
    // As if all of this had happened in one second.
    git('config', 'core.trustctime', 'false');
    written('kept\n');
    git('update-index', '--refresh');
    utimesSync(join(folder, '.git/index'), then, then);
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    expect(await (await past()).isAsNow(first, 'kept.txt')).toBe(true);
    written('KEPT\n');
    expect(await (await past()).isAsNow(first, 'kept.txt')).toBe(false);
    written('kept\n');
    rmSync(join(folder, 'new.txt'));
  });

  it('takes any text for a path', async () => {
    const found = await past();
    for (const path of ['a\0b', 'a\nb', 'x'.repeat(5_000), '', '-', ':(glob)**', 'kept.txt/below', '€'.repeat(300)]) {
      expect(await found.follow(first, path)).toBe(path);
      expect(await found.origins(first, path)).toEqual([path]);
      expect(await found.likeness(first, path)).toBeUndefined();
      expect(await found.filesAt([[first, path]])).toHaveLength(1);
    }
  });

  it('has nothing for what is no commit', async () => {
    const none = ['HEAD', 'main', '0'.repeat(40), `--output=${join(base, 'written')}`, '', 'a\0b', '€'.repeat(100_000)];
    const found = await past(...none);
    for (const no of none) {
      expect(found.has(no)).toBe(false);
      expect(await found.filesAt([[no, 'kept.txt']])).toEqual(['unreadable']);
      expect(await found.follow(no, 'a.txt')).toBe('a.txt');
      expect(await found.origins(no, 'a.txt')).toEqual(['a.txt']);
      expect(await found.otherRef(no)).toBeUndefined();
    }
    expect(existsSync(join(base, 'written'))).toBe(false);
  });

  it('names a reference that has a commit which HEAD has not', async () => {
    git('checkout', '-b', 'side');
    git('commit', '--allow-empty', '-m', 'side');
    const side = git('rev-parse', 'HEAD');
    expect(await (await past(side)).otherRef(side)).toBeUndefined();
    git('checkout', 'main');
    expect(await (await past(side)).otherRef(side)).toBe('side');
    git('branch', '-D', 'side');
    // It is in the repository still, but in no clone of it.
    expect((await past(side)).has(side)).toBe(false);
    expect(await (await past(side)).filesAt([[side, 'kept.txt']])).toEqual(['unreadable']);
    expect(await (await past(side)).otherRef(side)).toBeUndefined();
  });

  it('takes the HEAD of another work tree for no reference: no clone has it', async () => {
    const beside = join(base, 'beside');
    git('worktree', 'add', '--detach', beside);
    git('-C', beside, 'commit', '--allow-empty', '-m', 'on no branch');
    const there = git('-C', beside, 'rev-parse', 'HEAD');
    const found = await past(there);
    expect([found.has(there), found.otherRef(there)]).toEqual([false, undefined]);
    git('worktree', 'remove', beside);
  });

  it('is none outside of a repository, and where Git is not to be started', async () => {
    expect(await openPast(base, host, nothingKnown(), [])).toBeUndefined();
    expect(await openPast(folder, undefined, nothingKnown(), [])).toBeUndefined();
  });
});

describe('the commit of HEAD, without Git', () => {
  it('is that of a branch, a detached HEAD, packed references, and another work tree', () => {
    const said = (): void => expect(headCommit(join(folder))).toBe(git('rev-parse', 'HEAD'));
    said();
    git('pack-refs', '--all');
    said();
    git('commit', '--allow-empty', '-m', 'behind the packed one');
    said();
    git('checkout', '--detach', first);
    said();
    git('checkout', 'main');
    git('worktree', 'add', join(base, 'tree'), '-b', 'tree', first);
    expect(headCommit(join(base, 'tree'))).toBe(first);
    git('pack-refs', '--all');
    expect(headCommit(join(base, 'tree'))).toBe(first);
  });

  it('is none without a repository, before the first commit, and in one that is made up', () => {
    expect(headCommit(base)).toBeNull();
    const circle = join(base, 'circle');
    mkdirSync(circle);
    symlinkSync('.git', join(circle, '.git'));
    expect(headCommit(circle)).toBeNull();
    const made = join(base, 'made');
    mkdirSync(join(made, '.git'), { recursive: true });
    for (const head of [
      'ref: refs/heads/none\n',
      'ref: ../../secret\n',
      'ref: refs/heads/../../../x\n',
      'x'.repeat(40),
    ]) {
      writeFileSync(join(made, '.git', 'HEAD'), head);
      expect(headCommit(made)).toBeNull();
    }
  });
});
