// That what is said of code comes from the store, the working files and Git alone.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { History, Tree } from './code-history';
import { linksSaid, said } from './code-verdicts';
import { inFreshClone, type Objects } from './fresh-clone';
import { removeFolder } from './remove-folder';
import { withSameAnswers } from './small-starter';

/** Whatever was built before, and in whatever order: now, after a build, and in a fresh clone before and after its build. */
export function expectOneAnswer(...asked: Parameters<typeof compareAnswers>): Promise<void> {
  return withSameAnswers(() => compareAnswers(...asked));
}

async function compareAnswers(
  tree: Tree,
  { trees, ids, done }: Pick<History, 'trees' | 'ids' | 'done'>,
  objects: Objects,
): Promise<void> {
  const main = trees[0] ?? tree;
  const links = await linksSaid(tree.project, ids);
  const expected = await said(tree, ids);
  const same = (when: string, now: readonly string[], before = expected): void => {
    const without = (some: readonly string[], others: readonly string[], sign: string): string[] =>
      some.filter((line) => !others.includes(line)).map((line) => `${sign} ${line}`);
    const lines = [...done, ...without(before, now, '-'), ...without(now, before, '+')];
    expect(now, `${when}, of work tree ${trees.indexOf(tree)}:\n${lines.join('\n')}`).toEqual(before);
  };
  await tree.build();
  same('after a build', await said(tree, ids));
  const base = await mkdtemp(join(tmpdir(), 'svc-clone-'));
  await inFreshClone({ tree, main, base, objects }, async (clone) => {
    same('in a clone without a code graph', await linksSaid(clone.project, ids), links);
    await clone.build();
    same(`in a clone with ${objects} commits`, await said(clone, ids));
  }).finally(() => removeFolder(base));
}
