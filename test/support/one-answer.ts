// That what is said of code comes from the store, the working files and Git alone.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { History, Tree } from './code-history';
import { said } from './code-verdicts';
import type { FollowedRepository } from './followed-repository';
import { inFreshClone, type Objects } from './fresh-clone';
import { removeFolder } from './remove-folder';
import { withSameAnswers } from './small-starter';

/** Whatever was built before, and in whatever order: now, after a build, and in a fresh clone. */
export function expectOneAnswer(...asked: Parameters<typeof compareAnswers>): Promise<void> {
  return withSameAnswers(() => compareAnswers(...asked));
}

async function compareAnswers(
  tree: Tree,
  { trees, ids, done }: Pick<History, 'trees' | 'ids' | 'done'>,
  objects: Objects,
): Promise<void> {
  const main = trees[0] ?? tree;
  const expected = await said(tree, ids);
  const same = async (when: string, repository: FollowedRepository): Promise<void> => {
    const now = await said(repository, ids);
    const without = (some: readonly string[], others: readonly string[], sign: string): string[] =>
      some.filter((line) => !others.includes(line)).map((line) => `${sign} ${line}`);
    const lines = [...done, ...without(expected, now, '-'), ...without(now, expected, '+')];
    expect(now, `${when}, of work tree ${trees.indexOf(tree)}:\n${lines.join('\n')}`).toEqual(expected);
  };
  await tree.build();
  await same('after a build', tree);
  const base = await mkdtemp(join(tmpdir(), 'svc-clone-'));
  await inFreshClone({ tree, main, base, objects }, (clone) =>
    same(`in a clone with ${objects} commits`, clone),
  ).finally(() => removeFolder(base));
}
