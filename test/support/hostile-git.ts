import { readdirSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPEN, type Repository, STORE } from './check-repository';

/** Which of the programs ran: each leaves a file `ran-<name>` in the folder. */
export function markers(folder: string): () => string[] {
  return () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('ran-'))
      .sort();
}

/** A command for Git's settings, that leaves its mark and hands on what it is given. */
const command = (marker: string): string => `"touch '${marker}'; cat"`;

/** By the name of the attribute. */
const FILTERS = ['clean', 'process', 'included', 'in-folder', 'on-branch'];

/** Settings that name programs, each with a mark of its own. @param mark what the marks begin with */
function settings(mark: string, folder: string): string {
  const run = (name: string): string => command(`${mark}${name}`);
  return `
[core]
	fsmonitor = ${run('fsmonitor')}
	hooksPath = ${folder}/hostile-hooks
	pager = ${run('pager')}
	editor = ${run('editor')}
	askPass = ${run('askpass')}
	sshCommand = ${run('ssh')}
	gitProxy = ${run('proxy')}
	alternateRefsCommand = ${run('alternates')}
[hook "configured"]
	event = post-index-change
	command = ${run('configured-hook')}
[pager]
	diff = ${run('pager-diff')}
	config = ${run('pager-config')}
[diff]
	external = ${run('external')}
	tool = x
	guitool = x
[diff "x"]
	command = ${run('diff-command')}
	textconv = ${run('textconv')}
[difftool "x"]
	cmd = ${run('difftool')}
[merge "x"]
	driver = ${run('merge')}
[interactive]
	diffFilter = ${run('interactive')}
[alias]
	diff = "!touch '${mark}alias-diff'"
	rev-parse = "!touch '${mark}alias-rev-parse'"
	config = "!touch '${mark}alias-config'"
[credential]
	helper = "!touch '${mark}credential'"
[gpg]
	program = ${run('gpg')}
[log]
	showSignature = true
[sequence]
	editor = ${run('sequence')}
[uploadpack]
	packObjectsHook = ${run('pack-objects')}
[submodule "module"]
	update = "!touch '${mark}update'"
[submodule]
	recurse = true
[filter "clean"]
	clean = ${run('clean')}
	smudge = ${run('smudge')}
	required
[filter "process"]
	process = ${run('process')}
[include]
	path = hostile-include
[includeIf "gitdir:**"]
	path = hostile-in-folder
[includeIf "onbranch:main"]
	path = hostile-on-branch
`;
}

/** Puts settings and hooks into the folder of a repository. */
export async function plant(folder: string, mark: string): Promise<void> {
  await appendFile(join(folder, 'config'), settings(mark, folder));
  for (const [file, filter] of [
    ['hostile-include', 'included'],
    ['hostile-in-folder', 'in-folder'],
    ['hostile-on-branch', 'on-branch'],
  ] as const) {
    await writeFile(join(folder, file), `[filter "${filter}"]\n\tclean = ${command(`${mark}${filter}`)}\n`);
  }
  for (const hooks of ['hooks', 'hostile-hooks']) {
    await mkdir(join(folder, hooks), { recursive: true });
    for (const name of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'pre-auto-gc']) {
      const file = join(folder, hooks, name);
      await writeFile(file, `#!/bin/sh\ntouch '${mark}hook-${name}'\n`);
      await chmod(file, 0o755);
    }
  }
}

/** A repository with all of them, files that each filter is for, a staged and a changed file, and others that were only touched. */
export async function hostilePrograms({ git, path, write }: Repository): Promise<void> {
  const attributes = FILTERS.map((filter) => `${filter}.ts filter=${filter} diff=x merge=x\n`);
  await writeFile(path('.gitattributes'), `*.ts diff=x filter=clean\n${attributes.join('')}`);
  for (const filter of FILTERS) await writeFile(path(`${filter}.ts`), `export const x = '${filter}';\n`);
  git('add', '.');
  git('commit', '--quiet', '-m', 'more');
  await write('src/store.ts', STORE.replace('find(key)', 'find(key, 1)'));
  git('add', 'src/store.ts');
  const mark = path('..', 'ran-');
  await plant(path('.git'), mark);
  await write('src/open.ts', OPEN.replace('main', 'other'));
  for (const name of [...FILTERS.map((filter) => `${filter}.ts`), 'README.md', 'src/store.ts']) {
    await writeFile(path(name), await readFile(path(name)));
    await utimes(path(name), 1, 1);
  }
}

const PARTIAL =
  '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = x\n[remote "x"]\n\tpromisor = true\n';

/** What a clone would fetch missing objects with, and what that would run. */
export const REMOTES: Readonly<Record<'ext' | 'ssh' | 'uploadpack' | 'rewritten', (marker: string) => string>> = {
  ext: (marker) =>
    `${PARTIAL}\turl = "ext::sh -c touch% '${marker}'"\n[protocol "ext"]\n\tallow = always\n[protocol]\n\tallow = always\n`,
  ssh: (marker) => `${PARTIAL}\turl = ssh://example.org/x\n[core]\n\tsshCommand = ${command(marker)}\n`,
  uploadpack: (marker) => `${PARTIAL}\turl = .\n\tuploadpack = ${command(marker)}\n`,
  rewritten: (marker) =>
    `${PARTIAL}\turl = https://example.org/x\n[url "ext::sh -c touch% '${marker}'% "]\n\tinsteadOf = https://example.org/\n[protocol "ext"]\n\tallow = always\n`,
};

/** The settings of a bare repository whose work tree is its own folder. */
export const BARE_CONFIG = (marker: string): string =>
  `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n[filter "y"]\n\tclean = ${command(marker)}\n`;
