// A clone that has seen nothing of the past of a work tree but what Git and the store say of it.
import { existsSync, realpathSync } from 'node:fs';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { identityOf } from '../../src/server/db/at-place';
import { rememberStore } from '../../src/server/project/known-stores';
import { type Tree, tryGit } from './code-history';
import { type FollowedRepository, openFollowed } from './followed-repository';
import { openSqlite } from './sqlite';
import type { Place } from './stdio-client';

/** `all`: commits on no reference as well, as they stay in a repository for some weeks. */
export type Objects = 'all' | 'referenced';

/**
 * The work tree as it is now, in a clone with the same references, with a copy of the store and no graph yet.
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
  await copyRepository(tree, place, objects);
  if ((await tryGit(place, ['read-tree', 'HEAD'])) === undefined) throw new Error('git read-tree failed in the clone');
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
    return await ask(clone);
  } finally {
    await clone.close();
  }
}

/**
 * What `git clone --mirror` does, which starts Git five times: all references as they are. The clone is on a branch where
 * the work tree is on one.
 */
async function copyRepository(tree: Tree, { folder }: Place, objects: Objects): Promise<void> {
  const own = await gitFolderOf(tree);
  const shared = join(own, (await readFile(join(own, 'commondir'), 'utf8').catch(() => '.')).trim());
  const clone = join(folder, '.git');
  await mkdir(join(clone, 'objects/info'), { recursive: true });
  for (const name of ['refs', 'packed-refs', 'config']) {
    if (existsSync(join(shared, name))) await cp(join(shared, name), join(clone, name), { recursive: true });
  }
  await cp(join(own, 'HEAD'), join(clone, 'HEAD'));
  if (objects === 'all') {
    await writeFile(join(clone, 'objects/info/alternates'), `${join(shared, 'objects')}\n`);
    return;
  }
  const references = await tryGit(tree, ['show-ref', '--head', '--hash']);
  const pack = join(clone, 'objects/pack/pack');
  await mkdir(dirname(pack));
  const packed = await tryGit(tree, ['pack-objects', '--quiet', '--revs', pack], references);
  if (packed === undefined) throw new Error('git pack-objects failed');
}

/** That of a work tree that was added is named in a file. */
async function gitFolderOf({ folder }: Tree): Promise<string> {
  const own = join(folder, '.git');
  if ((await stat(own)).isDirectory()) return own;
  return (await readFile(own, 'utf8')).replace('gitdir: ', '').trim();
}
