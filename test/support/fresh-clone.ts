// A clone that has seen nothing of the past of a work tree but what Git and the store say of it.
import { realpathSync } from 'node:fs';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { identityOf } from '../../src/server/db/at-place';
import { rememberStore } from '../../src/server/project/known-stores';
import { type Tree, tryGit } from './code-history';
import { type FollowedRepository, openFollowed } from './followed-repository';
import { openSqlite } from './sqlite';

/** `all`: commits on no reference as well, as they stay in a repository for some weeks. */
export type Objects = 'all' | 'referenced';

/**
 * The work tree as it is now, in a clone with the same references, with a copy of the store and a graph of its own.
 */
export async function inFreshClone<Answer>(
  {
    tree,
    main,
    base,
    objects,
  }: { readonly tree: Tree; readonly main: Tree; readonly base: string; readonly objects: Objects },
  ask: (clone: FollowedRepository) => Promise<Answer>,
): Promise<Answer> {
  const place = { folder: join(base, 'clone'), home: join(base, 'clone-home') };
  await mkdir(join(place.folder, '.svc'), { recursive: true });
  await mkdir(place.home);
  const git = (...args: string[]): void => {
    if (tryGit(place, ...args) === undefined) throw new Error(`git ${args.join(' ')} failed in the clone`);
  };
  // A mirror has all references, as they are; but it is bare, and on a branch where the work tree is on none.
  git('clone', '--quiet', '--mirror', objects === 'all' ? '--shared' : '--no-local', tree.folder, '.git');
  const config = join(place.folder, '.git/config');
  await writeFile(config, (await readFile(config, 'utf8')).replace('bare = true', 'bare = false'));
  await writeFile(join(place.folder, '.git/HEAD'), await readFile(join(await gitFolderOf(tree), 'HEAD')));
  git('read-tree', 'HEAD');
  await cp(tree.folder, place.folder, {
    recursive: true,
    filter: (from) => !['.git', '.svc'].includes(basename(from)),
  });
  const path = join(place.folder, '.svc', 'memory.db');
  const store = await openSqlite(join(main.folder, '.svc', 'memory.db'));
  await store.script(`VACUUM INTO '${path}'`);
  const rows = await store.all<{ value: string }>("SELECT value FROM mem_flags WHERE name = 'store_id'");
  await store.close();
  const file = identityOf(path);
  const known = { path: realpathSync(path), id: rows[0]?.value ?? '', how: 'made', what: 'memories' } as const;
  rememberStore(place.home, { ...known, ...(file === undefined ? {} : { file }) });
  const clone = await openFollowed(place);
  try {
    await clone.build();
    return await ask(clone);
  } finally {
    await clone.close();
  }
}

/** That of a work tree that was added is named in a file. */
async function gitFolderOf({ folder }: Tree): Promise<string> {
  const own = join(folder, '.git');
  if ((await stat(own)).isDirectory()) return own;
  return (await readFile(own, 'utf8')).replace('gitdir: ', '').trim();
}
