import { execFileSync } from 'node:child_process';

const NOBODY = 65_534;

/**
 * Takes the right to write from a folder and all in it, or the right to go into it. The superuser does not mind, so it lets
 * another one own all and run it.
 * @param base of all that is read and written
 */
export async function withoutRights(
  folder: string,
  base: string,
  work: (options: { readonly uid?: number }) => Promise<void>,
  right: 'w' | 'x' = 'w',
): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, base]);
  // Without the right to go into a folder nothing in it is reached.
  const all = right === 'w' ? ['-R'] : [];
  execFileSync('chmod', [...all, `a-${right}`, folder]);
  try {
    await work(isRoot ? { uid: NOBODY } : {});
  } finally {
    execFileSync('chmod', [...all, `u+${right}`, folder]);
  }
}
