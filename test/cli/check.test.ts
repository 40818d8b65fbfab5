import { execFileSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { FILES, OPEN, STORE, withRepository } from '../support/check-repository';
import { withCodeProject } from '../support/code-project';
import type { Ran } from '../support/command-line';
import { BRIEFLY, makePipe } from '../support/special-files';

it('tells which memories a change touches, with status 1, and nothing with status 0', async () => {
  await withRepository(async ({ check, found, write }) => {
    expect(await check()).toEqual({ status: 0, out: 'What changed since HEAD leaves no memory in doubt.\n', err: '' });
    await write('src/open.ts', `// A comment above.\n\n${OPEN.replace('main', 'other')}`);
    await write('src/store.ts', STORE.replace('find(key)', 'find(key, 1)'));
    expect(await found()).toEqual([
      'gets quickly: changed Store.get@src/store.ts:2',
      'opens slowly: changed open@src/open.ts:3',
    ]);
    const { status, out } = await check();
    expect(status).toBe(1);
    expect(out).toMatch(
      /^What changed since HEAD touches 2 memories\.\n\n- \[d_\w+\] \d{4}-\d\d-\d\d · conf 1\.00 — decision: opens slowly\n {2}because measured\n {2}changed {2}src\/open\.ts:3 open\n/,
    );
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

it('does not report what was only formatted, shifted or added', async () => {
  await withRepository(async ({ found, write }) => {
    await write(
      'src/open.ts',
      `export function other() {}\n\nexport function open() {\n    return connect(\n "main" ) ;\n}\n`,
    );
    await write('src/more.ts', 'export function more() {}\n');
    expect(await found()).toEqual([]);
  });
});

it('tells what was deleted, and nothing of what was renamed or moved to another file, nor of files that were renamed', async () => {
  await withRepository(async ({ found, git, write, remove }) => {
    await write('src/store.ts', STORE.replace('get(', 'fetch('));
    await remove('src/open.ts');
    await write('src/db.ts', `export const FIRST = 1;\n${OPEN}`);
    git('mv', 'README.md', 'ABOUT.md');
    expect(await found()).toEqual([]);
    await remove('src/db.ts');
    await write('src/store.ts', 'export const nothing = 1;\n');
    expect(await found()).toEqual(['gets quickly: gone', 'opens slowly: gone', 'puts safely: gone']);
  });
});

it('--staged looks at what is staged, whatever the working files are', async () => {
  await withRepository(async ({ found, git, write }) => {
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await found('--staged')).toEqual([]);
    git('add', '.');
    await write('src/open.ts', `${'\n'.repeat(20)}${OPEN}`);
    await write('src/store.ts', 'export const nothing = 1;\n');
    expect(await found('--staged')).toEqual(['opens slowly: changed open@src/open.ts:1']);
  });
});

it('--since compares with where a branch went off, so that what others did there is not reported', async () => {
  await withRepository(async ({ found, git, write }) => {
    git('checkout', '--quiet', '-b', 'feature');
    await write('src/open.ts', OPEN.replace('main', 'other'));
    git('commit', '--quiet', '-a', '-m', 'feature');
    git('checkout', '--quiet', 'main');
    await write('src/store.ts', STORE.replace('find(key)', 'find(key, 1)'));
    git('commit', '--quiet', '-a', '-m', 'meanwhile');
    git('checkout', '--quiet', 'feature');
    expect(await found()).toEqual([]);
    expect(await found('--since', 'main')).toEqual(['opens slowly: changed open@src/open.ts:1']);
    expect(await found('--since', 'HEAD~1')).toEqual(['opens slowly: changed open@src/open.ts:1']);
  });
});

it('does not lay to a change what was doubtful before it', async () => {
  await withRepository(async ({ found, git, write }) => {
    await write('src/open.ts', OPEN.replace('main', 'other'));
    await write('src/store.ts', STORE.replace('get(', 'fetch('));
    git('commit', '--quiet', '-a', '-m', 'second');
    await write('src/store.ts', STORE.replace('get(', 'fetch(').replace('write(key)', 'write(key, 1)'));
    expect(await found()).toEqual(['puts safely: changed Store.put@src/store.ts:6']);
  });
});

it('finds files with odd names, skips links and binary ones, and works before the first commit', async () => {
  await withRepository(async ({ found, git, write, path, build, ok }) => {
    const odd = 'src/naïve "two\twords".ts';
    await write(odd, 'export function odd() {\n  return 1;\n}\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'odd');
    await build();
    await ok('store', 'is odd', '--kind', 'fact', '--entities', 'odd()');
    await write(odd, 'export function odd() {\n  return 2;\n}\n');
    await write('src/open.ts', '\0\0\0binary');
    expect(await found()).toEqual(['is odd: changed odd@src/naïve "two\twords".ts:1']);
    execFileSync('rm', ['-rf', path('.git')]);
    git('init', '--quiet');
    git('add', '.');
    // All of it is brought, and `odd` is not as the memory was kept on it.
    expect(await found('--staged')).toEqual(['is odd: changed odd@src/naïve "two\twords".ts:1']);
    expect(await found()).toEqual(['is odd: changed odd@src/naïve "two\twords".ts:1']);
  });
});

it('looks into the namespace that it is given', async () => {
  await withRepository(async ({ found, write, ok }) => {
    await ok('store', 'opens elsewhere', '--kind', 'fact', '--entities', 'open()', '--namespace', 'other');
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await found('--namespace', 'other')).toEqual(['opens elsewhere: changed open@src/open.ts:1']);
  });
});

it('runs as a pre-commit hook, in a folder below the root, too', async () => {
  await withRepository(async ({ git, write, check, path, run }) => {
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect((await run(['check'], { cwd: 'src' })).status).toBe(1);
    const program = join(__dirname, '../../dist/svc-memory.js');
    await write(
      '.git/hooks/pre-commit',
      `#!/bin/sh\nexec "${process.execPath}" "${program}" check --staged > found.txt\n`,
    );
    execFileSync('chmod', ['+x', path('.git/hooks/pre-commit')]);
    expect(() => git('commit', '--quiet', '-a', '-m', 'second')).toThrow();
    expect(await readFile(path('found.txt'), 'utf8')).toContain('opens slowly');
    expect((await check()).status).toBe(1);
    expect(git('log', '--oneline').trim().split('\n')).toHaveLength(1);
  });
});

it('ends with status 2 and a sentence where it cannot tell', async () => {
  await withRepository(async ({ check, path, run }) => {
    const refused = async (pattern: RegExp, ran: Promise<Ran>) => {
      const { status, out, err } = await ran;
      expect([status, out]).toEqual([2, '']);
      expect(err).toMatch(pattern);
      expect(err.trimEnd()).not.toContain('\n');
    };
    await refused(/^invalid_input: --since is "nowhere", which is not a revision/, check('--since', 'nowhere'));
    await refused(/^invalid_input: --since is "--output=x", which is not a revision/, check('--since=--output=x'));
    await refused(/^usage: unknown option/, check('--stagged'));
    await refused(/^unavailable: Git was not found\. /, run(['check'], { env: { PATH: path('nothing') } }));
    await refused(/^unavailable: The store does not belong to a project/, run(['check'], { cwd: '..' }));
  });
  await withCodeProject(FILES, async ({ build, run, remove }) => {
    await build();
    await remove('.git/HEAD');
    const { status, err } = await run(['check'], { env: { PATH: process.env.PATH ?? delimiter } });
    expect(status).toBe(2);
    expect(err).toMatch(/^unavailable: The project .* is not in a Git repository\. /);
  });
});

it('waits for no pipe behind a link that nobody has added, and reads no file outside through one', async () => {
  await withRepository(async ({ run, found, path, home, write }) => {
    makePipe(path('pipe'));
    await symlink(path('pipe'), path('src', 'pipe.ts'));
    await symlink('/dev/zero', path('src', 'zero.ts'));
    await writeFile(join(home, 'open.ts'), OPEN);
    await symlink(join(home, 'open.ts'), path('src', 'linked.ts'));
    expect(await run(['check'], BRIEFLY)).toMatchObject({ status: 0 });
    await write('src/open.ts', 'export const nothing = 1;\n');
    expect(await found()).toEqual(['opens slowly: gone']);
  });
});

it('names a source that became a link out of the project, or a file too large, as not judged', async () => {
  await withRepository(async ({ run, path, home, write, remove, git }) => {
    await writeFile(join(home, 'open.ts'), OPEN);
    await remove('src/open.ts');
    await symlink(join(home, 'open.ts'), path('src', 'open.ts'));
    await write('src/store.ts', `${STORE}// ${'x'.repeat(1_000_000)}\n`);
    const notJudged = async (...args: string[]) =>
      (JSON.parse((await run(['check', '--json', ...args])).out) as { not_judged: string[] }).not_judged;
    expect(await notJudged()).toEqual(['src/open.ts', 'src/store.ts']);
    git('add', '.');
    expect(await notJudged('--staged')).toEqual(['src/open.ts', 'src/store.ts']);
    git('commit', '--quiet', '-m', 'large');
    await write('src/store.ts', STORE);
    expect(await notJudged()).toContain('src/store.ts');
  });
});

it('compares a branch with the one that it goes back to, and a confirmed change is reported no more', async () => {
  await withRepository(async ({ check, found, git, write, ok }) => {
    const { status, err } = await check('--branch');
    expect([status, err]).toEqual([
      2,
      expect.stringMatching(/"main" is what other branches are compared with, .* Name a branch/),
    ]);
    git('switch', '--quiet', '--create', 'feature');
    await write('src/open.ts', OPEN.replace('main', 'other'));
    git('commit', '--quiet', '--all', '-m', 'second');
    await write('src/store.ts', STORE.replace('find(key)', 'find(key, 1)'));
    expect(await found()).toEqual(['gets quickly: changed Store.get@src/store.ts:2']);
    const both = ['gets quickly: changed Store.get@src/store.ts:2', 'opens slowly: changed open@src/open.ts:1'];
    expect(await found('--branch')).toEqual(both);
    expect((JSON.parse((await check('--branch', '--json')).out) as { base: string }).base).toBe('main');
    const { memories } = JSON.parse((await check('--json')).out) as { memories: { id: string }[] };
    await ok('verify', memories[0]?.id ?? '', 'confirm');
    expect(await found()).toEqual([]);
    expect(await found('--branch')).toEqual([both[1]]);
  });
});
