import { appendFile, cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OPEN, type Repository, withRepository } from '../support/check-repository';
import type { Ran } from '../support/command-line';
import { BARE_CONFIG, hostilePrograms, markers, plant, REMOTES } from '../support/hostile-git';
import { makePipe } from '../support/special-files';

const CHANGED = 'opens slowly: changed open@src/open.ts:1';

it('runs no program that the settings of a repository name, and answers right', async () => {
  await withRepository(async (repository) => {
    const { found, path } = repository;
    const ran = markers(path('..'));
    await hostilePrograms(repository);
    const staged = 'gets quickly: changed Store.get@src/store.ts:2';
    expect(await found()).toEqual([staged, CHANGED]);
    expect(await found('--staged')).toEqual([staged]);
    expect(await found('--since', 'HEAD')).toEqual([staged, CHANGED]);
    expect(ran()).toEqual([]);
  });
});

it('fetches nothing that a clone lacks, whatever would fetch it, and says how to get it', async () => {
  await withRepository(async ({ check, path, git, write, remove }) => {
    const ran = markers(path('..'));
    const lost = git('rev-parse', 'HEAD:src/open.ts').trim();
    await write('src/open.ts', OPEN.replace('main', 'other'));
    const config = await readFile(path('.git/config'), 'utf8');
    await remove(`.git/objects/${lost.slice(0, 2)}/${lost.slice(2)}`);
    const answers: Ran[] = [];
    for (const [name, remote] of Object.entries(REMOTES)) {
      await writeFile(path('.git/config'), `${config}${remote(path('..', `ran-${name}`))}`);
      answers.push(await check());
    }
    expect(ran()).toEqual([]);
    for (const { status, out, err } of answers) {
      expect([status, out]).toEqual([2, '']);
      expect(err).toMatch(
        /^unavailable: The clone at .* lacks older versions .* \("git diff [0-9a-f]{40}"\), then check/,
      );
    }
  });
});

it('refuses a bare repository that came in a clone as plain files, and runs nothing of it', async () => {
  await withRepository(async ({ run, svc, folder, path, git }) => {
    const ran = markers(path('..'));
    const [attacker, victim] = [path('..', 'attacker'), path('..', 'victim')];
    await writeFile(path('.gitattributes'), '*.ts filter=y\n');
    git('add', '.gitattributes');
    git('commit', '--quiet', '-m', 'attributes');
    await cp(folder, join(attacker, 'pkg'), { recursive: true });
    for (const part of ['HEAD', 'objects', 'refs', 'index']) {
      await cp(path('.git', part), join(attacker, 'pkg', part), { recursive: true });
    }
    await writeFile(join(attacker, 'pkg', 'config'), BARE_CONFIG(path('..', 'ran-bare')));
    await rm(join(attacker, 'pkg', '.git'), { recursive: true });
    git('-C', attacker, 'init', '--quiet');
    git('-C', attacker, 'add', '--force', ...['src', 'HEAD', 'config', 'objects', 'refs', 'index'].map(inPackage));
    git('-C', attacker, 'add', '--force', ...['.gitattributes', '.svc', 'README.md'].map(inPackage));
    git('-C', attacker, 'commit', '--quiet', '-m', 'attack');
    git('clone', '--quiet', attacker, victim);
    // The graph that came along is not used: the victim builds one.
    const early = await run(['check'], { cwd: '../victim/pkg' });
    expect(early.err).toMatch(/^unavailable: The code graph .* was not built on this machine, so it is not used\./m);
    expect((await svc(['build'], '../victim/pkg')).status).toBe(0);
    const answers: Ran[] = [];
    for (const args of [[], ['--staged']]) answers.push(await run(['check', ...args], { cwd: '../victim/pkg' }));
    expect(ran()).toEqual([]);
    for (const { status, out, err } of answers) {
      expect([status, out]).toEqual([2, '']);
      expect(err).toMatch(/^unavailable: Git is not run in .*: the folder itself is a bare repository/m);
    }
  });
});

const inPackage = (path: string): string => `pkg/${path}`;

it('runs nothing of repositories that lie in a harmless one: a clone in a folder, and a submodule', async () => {
  await withRepository(async (repository) => {
    const { check, found, build, ok, git, write, path, remove } = repository;
    const ran = markers(path('..'));
    await makeLibrary(repository);
    git('clone', '--quiet', '../library', 'clone');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'module');
    git('commit', '--quiet', '-m', 'module');
    await build();
    for (const name of ['clone', 'module']) {
      await ok('store', `${name} helps`, '--kind', 'fact', '--entities', `${name}/help.ts#help`);
      await write(`${name}/help.ts`, HELP.replace('1', '2'));
    }
    await plant(path('clone', '.git'), path('..', 'ran-clone-'));
    await plant(path('.git', 'modules', 'module'), path('..', 'ran-module-'));
    const all = await found();
    expect(ran()).toEqual([]);
    expect(all).toEqual(['clone helps: changed help@clone/help.ts:1', 'module helps: changed help@module/help.ts:1']);
    expect(await found('--staged')).toEqual([]);
    expect(ran()).toEqual([]);
    const lost = git('-C', 'module', 'rev-parse', 'HEAD').trim();
    await remove(`.git/modules/module/objects/${lost.slice(0, 2)}/${lost.slice(2)}`);
    const remote = REMOTES.ext(path('..', 'ran-module-ext'));
    await writeFile(path('.git/modules/module/config'), `[core]\nworktree = ../../../module\n${remote}`);
    expect((await check()).err).toMatch(/^unavailable: The submodule "module" lacks a commit/);
    expect(ran()).toEqual([]);
  });
});

const HELP = 'export function help() {\n  return 1;\n}\n';

async function makeLibrary({ path, git }: Repository): Promise<void> {
  const library = path('..', 'library');
  await mkdir(library);
  git('-C', library, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(library, 'help.ts'), HELP);
  await writeFile(join(library, '.gitattributes'), '*.ts filter=clean\n');
  git('-C', library, 'add', '.');
  git('-C', library, 'commit', '--quiet', '-m', 'library');
}

it('switches filters with odd names off, and refuses where one cannot be', async () => {
  await withRepository(async ({ check, found, git, path, write }) => {
    const ran = markers(path('..'));
    const names = ['', 'a.b', '-x', 'Ünicode', "it's", '"', '\\', 'two words'];
    for (const i of names.keys()) await write(`odd${i}.ts`, 'export const odd = 1;\n');
    // The first six can be attributes; the others are only to be put up with.
    const attributes = names.slice(0, 6).map((name, i) => `odd${i}.ts filter=${name}\n`);
    await write('.gitattributes', `src/open.ts filter=old\n${attributes.join('')}`);
    git('add', '.');
    git('commit', '--quiet', '-m', 'odd');
    const config = await readFile(path('.git/config'), 'utf8');
    const section = (name: string, key: string) =>
      `[filter "${name.replaceAll(/["\\]/g, '\\$&')}"]\n${key} = "touch '${path('..', 'ran-odd')}'; cat"\nrequired\n`;
    const filters = names.map((name, i) => section(name, i % 2 === 0 ? 'clean' : 'process')).join('');
    const others = `[filter]\nclean = x\n[filter.OLD]\nclean = touch '${path('..', 'ran-old')}'\n`;
    await writeFile(path('.git/config'), config + filters + others);
    for (const i of names.keys()) await utimes(path(`odd${i}.ts`), 1, 1);
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await found()).toEqual([CHANGED]);
    expect(ran()).toEqual([]);
    const refused = async (settings: string): Promise<void> => {
      await writeFile(path('.git/config'), config);
      await appendFile(path('.git/config'), settings, 'latin1');
      const { status, err } = await check();
      expect(status).toBe(2);
      expect(err).toMatch(/^unavailable: The Git settings of .* name programs that cannot be switched off\. See /);
    };
    await refused(section('a=b', 'clean'));
    await refused(Array.from({ length: 61 }, (_, i) => section(`f${i}`, 'clean')).join(''));
    // One byte, which is no UTF-8.
    await writeFile(path('.gitattributes'), 'src/open.ts filter=\xff\n', 'latin1');
    await refused(section('\xff', 'clean'));
    expect(ran()).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')(
  'reads no device that the settings name, and waits for no pipe in place of a source',
  async () => {
    await withRepository(async ({ check, found, path, write, remove }) => {
      const devices = '[diff]\n\torderFile = /dev/zero\n[core]\n\tattributesFile = /dev/zero\n';
      await appendFile(path('.git/config'), devices);
      await write('src/open.ts', OPEN.replace('main', 'other'));
      expect(await found()).toEqual([CHANGED]);
      await remove('src/store.ts');
      makePipe(path('src/store.ts'));
      expect(await found()).toEqual([CHANGED]);
      expect((await check()).out).toContain('not judged  src/store.ts');
    });
  },
);

it('takes no Git from the project, whatever PATH says', async () => {
  await withRepository(async ({ run, path, write }) => {
    const ran = markers(path('..'));
    const program = `#!/bin/sh\ntouch '${path('..', 'ran-git')}'\n`;
    for (const folder of ['.', 'bin', 'node_modules/.bin', '../other/node_modules/.bin']) {
      await mkdir(path(folder), { recursive: true });
      await writeFile(path(folder, 'git'), program, { mode: 0o755 });
    }
    await write('src/open.ts', OPEN.replace('main', 'other'));
    const folders = ['', '.', 'bin', path('bin'), path('node_modules/.bin'), path('../other/node_modules/.bin')];
    const withGit = [...folders, process.env.PATH].join(':');
    expect(await run(['check'], { env: { PATH: withGit } })).toMatchObject({ status: 1, err: '' });
    expect((await run(['check'], { env: { PATH: folders.join(':') } })).err).toMatch(/^unavailable: Git was not found/);
    expect(ran()).toEqual([]);
  });
});

it('writes nothing into the repository, not even the times of its index', async () => {
  await withRepository(async ({ found, path }) => {
    const index = await readFile(path('.git/index'));
    await utimes(path('src/open.ts'), 1, 1);
    expect(await found()).toEqual([]);
    expect(await readFile(path('.git/index'))).toEqual(index);
  });
});
