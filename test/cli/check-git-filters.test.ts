import { appendFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OPEN, type Repository, STORE, withRepository } from '../support/check-repository';

/** A filter as people have them: it keeps one word out of the repository, and puts it back into the files. */
const SECRET = `[filter "secret"]\n\tclean = sed s/main/PLACEHOLDER/g\n\tsmudge = sed s/PLACEHOLDER/main/g\n\trequired\n`;

/** Files behind the filter, checked out just now, in a repository that has been built. */
async function withFilter(work: (repository: Repository) => Promise<void>): Promise<void> {
  await withRepository(async (repository) => {
    const { git, path, build } = repository;
    await appendFile(path('.git/config'), SECRET);
    await writeFile(path('.gitattributes'), '*.ts filter=secret\n');
    git('add', '--renormalize', '.');
    git('add', '.gitattributes');
    git('commit', '--quiet', '-m', 'filter');
    expect(git('show', 'HEAD:src/open.ts')).toContain('PLACEHOLDER');
    await checkOutAgain(repository);
    expect(await readFile(path('src/open.ts'), 'utf8')).toBe(OPEN);
    await build();
    await work(repository);
  });
}

/** Git takes what is as new as its index for changed, until it has looked into it; here it may not. */
async function checkOutAgain({ git, remove }: Repository): Promise<void> {
  for (const file of ['src/open.ts', 'src/store.ts']) await remove(file);
  git('checkout', '--quiet', '.');
}

it('finds nothing in files behind a filter that nobody changed: just checked out, touched, or committed since', async () => {
  await withFilter(async (repository) => {
    const { check, found, git, path, ok, write } = repository;
    expect(await check()).toMatchObject({ status: 0, out: 'What changed since HEAD leaves no memory in doubt.\n' });
    // What the memory was linked to is not what stands there, so that nothing but the diff can tell.
    await ok('store', 'opens by name', '--kind', 'fact', '--entities', 'src/open.ts');
    await write('src/open.ts', `// More.\n${OPEN}`);
    git('commit', '--quiet', '-a', '-m', 'more');
    await checkOutAgain(repository);
    expect(JSON.parse((await check('--json')).out)).toMatchObject({ changed_files: 0, memories: [] });
    expect(await found('--since', 'HEAD~1')).toEqual(['opens by name: changed open.ts@src/open.ts:1']);
    await utimes(path('src/store.ts'), 1, 1);
    expect(await found()).toEqual([]);
  });
});

it('tells what was changed in a file behind a filter, in the working files and staged', async () => {
  await withFilter(async ({ found, git, path, write }) => {
    await write('src/store.ts', STORE.replace('find(key)', 'find("main")'));
    await utimes(path('src/open.ts'), 1, 1);
    const first = ['gets quickly: changed Store.get@src/store.ts:2'];
    expect(await found()).toEqual(first);
    git('add', 'src/store.ts');
    await write('src/open.ts', OPEN.replace('connect', 'attach'));
    expect(await found('--staged')).toEqual(first);
    expect(await found()).toEqual([...first, 'opens slowly: changed open@src/open.ts:1']);
  });
});

/** Does what Git LFS does: a pointer goes into the repository, and the file into a folder of its own. */
const LFS = `#!/bin/sh
store="$(git rev-parse --git-dir)/lfs-store"
mkdir -p "$store"
case "$1" in
clean)
  cat > "$store/new"
  oid=$(sha256sum < "$store/new" | cut -d ' ' -f 1)
  size=$(wc -c < "$store/new" | tr -d ' ')
  mv "$store/new" "$store/$oid"
  printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$oid" "$size";;
smudge) cat "$store/$(sed -n 's/^oid sha256://p')";;
esac
`;

it('judges files that LFS keeps by their pointer: untouched, touched, changed and staged', async () => {
  await withRepository(async (repository) => {
    const { build, check, found, git, home, ok, path, write } = repository;
    await mkdir(join(home, 'bin'));
    const program = join(home, 'bin', 'lfs');
    await writeFile(program, LFS, { mode: 0o755 });
    const settings = ['clean', 'smudge'].map((key) => `\t${key} = '${program}' ${key}\n`).join('');
    await writeFile(join(home, '.gitconfig'), `[filter "lfs"]\n${settings}\trequired\n`);
    await writeFile(path('.gitattributes'), 'src/open.ts filter=lfs diff=lfs merge=lfs -text\n');
    git('add', '--renormalize', '.');
    git('add', '.gitattributes');
    git('commit', '--quiet', '-m', 'lfs');
    expect(git('show', 'HEAD:src/open.ts')).toMatch(/^version https:\/\/git-lfs/);
    await checkOutAgain(repository);
    expect(await readFile(path('src/open.ts'), 'utf8')).toBe(OPEN);
    await build();
    await ok('store', 'opens by name', '--kind', 'fact', '--entities', 'src/open.ts');
    const NOTHING = { changed_files: 0, memories: [] };
    expect(JSON.parse((await check('--json')).out)).toMatchObject(NOTHING);
    await utimes(path('src/open.ts'), 1, 1);
    expect(JSON.parse((await check('--json')).out)).toMatchObject(NOTHING);
    const changed = ['opens by name: changed open.ts@src/open.ts:1'];
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await found()).toEqual(changed);
    git('add', 'src/open.ts');
    expect(await found('--staged')).toEqual(changed);
    git('commit', '--quiet', '-m', 'other');
    expect(await found()).toEqual([]);
    expect(await found('--since', 'HEAD~1')).toEqual(changed);
  });
});
