// A clone that has seen nothing of the past of a work tree but what Git and the store say of it.
import { realpathSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
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
  const git = (...args: string[]): string => {
    const out = tryGit(place, ...args);
    if (out === undefined) throw new Error(`git ${args.join(' ')} failed in the clone`);
    return out;
  };
  git('init', '--initial-branch=nothing');
  if (objects === 'all') {
    await writeFile(join(place.folder, '.git/objects/info/alternates'), join(main.folder, '.git/objects\n'));
  }
  git('fetch', '--no-tags', '--update-head-ok', tree.folder, '+refs/*:refs/*', '+HEAD:refs/fetched');
  const branch = tryGit(tree, 'symbolic-ref', '--quiet', 'HEAD')?.trim();
  const head = git('rev-parse', 'refs/fetched').trim();
  git('update-ref', '-d', 'refs/fetched');
  if (branch === undefined) git('update-ref', '--no-deref', 'HEAD', head);
  else git('symbolic-ref', 'HEAD', branch);
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
