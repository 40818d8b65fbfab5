import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Check, OPEN, type Repository, STORE, withRepository } from '../support/check-repository';
import { PROGRAM_FILE } from '../support/command-line';

/** Has a commit stopped by what is found, and told in a file. @returns what it was */
async function hooked(
  { path, git }: Repository,
  { hooks = '.git/hooks', folder = '.', commit }: { hooks?: string; folder?: string; commit: readonly string[] },
): Promise<string[]> {
  const found = path('..', 'found.json');
  await mkdir(path(hooks), { recursive: true });
  await writeFile(
    path(hooks, 'pre-commit'),
    `#!/bin/sh\ncd '${folder}' && "${process.execPath}" "${PROGRAM_FILE}" check --staged --json > '${found}'\nexit 1\n`,
    { mode: 0o755 },
  );
  expect(() => git(...commit)).toThrow();
  const { memories } = JSON.parse(await readFile(found, 'utf8')) as Check;
  return memories.map(({ content, verdict, symbols }) => `${content}: ${verdict} ${symbols[0]?.now?.file_path}`);
}

it('goes by the index that a commit is made from: of everything, and of a part', async () => {
  await withRepository(async (repository) => {
    const { git, write } = repository;
    await write('src/open.ts', OPEN.replace('main', 'other'));
    await write('src/store.ts', STORE.replace('find(key)', 'find(key, 1)'));
    const all = ['commit', '--quiet', '-a', '-m', 'second'];
    expect((await hooked(repository, { commit: all })).sort()).toEqual([
      'gets quickly: changed src/store.ts',
      'opens slowly: changed src/open.ts',
    ]);
    git('add', 'src/store.ts');
    const part = ['commit', '--quiet', '-m', 'second', '--', 'src/open.ts'];
    expect(await hooked(repository, { commit: part })).toEqual(['opens slowly: changed src/open.ts']);
  });
});

it('finds the repository from a folder of another work tree, whose hooks are given its repository alone', async () => {
  await withRepository(async (repository) => {
    const { git, path, run, svc } = repository;
    await writeFile(path('.git/info/exclude'), '.svc/\n');
    git('worktree', 'add', '--quiet', '../tree');
    const cwd = '../tree/src';
    const env = { SVC_MEMORY_DB: path(cwd, '.svc', 'memory.db') };
    expect(await run(['init'], { cwd, env })).toMatchObject({ status: 0 });
    expect(await svc(['build'], cwd)).toMatchObject({ status: 0 });
    const memory = ['store', 'opens here', '--kind', 'fact', '--entities', 'open()'];
    expect(await run(memory, { cwd })).toMatchObject({ status: 0 });
    await writeFile(path(cwd, 'open.ts'), OPEN.replace('main', 'other'));
    const commit = ['-C', path('..', 'tree'), 'commit', '--quiet', '-a', '-m', 'second'];
    expect(await hooked(repository, { folder: 'src', commit })).toEqual(['opens here: changed open.ts']);
    await utimes(path(cwd, 'store.ts'), 1, 1);
    const { out } = await run(['check', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject({ changed_files: 1, memories: [{ content: 'opens here' }] });
  });
});

it('keeps the index of a submodule that is committed apart from that of the project around it', async () => {
  await withRepository(async (repository) => {
    const { build, git, ok, path, write } = repository;
    const library = path('..', 'library');
    await mkdir(library);
    await writeFile(join(library, 'help.ts'), 'export function help() {\n  return 1;\n}\n');
    git('-C', library, 'init', '--quiet', '--initial-branch=main');
    git('-C', library, 'add', '.');
    git('-C', library, 'commit', '--quiet', '-m', 'library');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'module');
    git('commit', '--quiet', '-m', 'module');
    await build();
    await ok('store', 'helps', '--kind', 'fact', '--entities', 'module/help.ts#help');
    await write('module/help.ts', 'export function help() {\n  return 2;\n}\n');
    const commit = ['-C', 'module', 'commit', '--quiet', '-a', '-m', 'second'];
    expect(await hooked(repository, { hooks: '.git/modules/module/hooks', commit })).toEqual([
      'helps: changed module/help.ts',
    ]);
  });
});
