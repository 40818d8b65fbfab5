/** Reads what Git has of files that are no longer in the working tree. */
import { type PathAndBlob, readBlobs } from './blobs';
import { readRaw } from './diff';
import type { Repository } from './open-repository';
import { unreadable } from './run-git';

/**
 * The texts of files that the index has and the working tree has not, by path, as far as they are wanted. What another branch
 * alone has is not among them.
 * @param folder relative to the root of the repository
 * @param wanted chooses among the paths
 * @throws SvcError unavailable
 */
export async function removedFiles(
  { root, git }: Repository,
  folder: string,
  wanted: (paths: readonly string[]) => readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { status, out } = await git([
    ...['diff-files', '--raw', '-z', '--no-abbrev', '--relative', '--no-renames', '--diff-filter=D'],
    ...['--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--no-color', '--', folder],
  ]);
  if (status !== 0) throw unreadable(root);
  const blobs = new Map(
    readRaw(out.toString()).flatMap(({ old_path, new_path, old_blob }): PathAndBlob[] =>
      old_path === undefined || new_path !== undefined ? [] : [[old_path, old_blob]],
    ),
  );
  const asked = wanted([...blobs.keys()]).flatMap((path): PathAndBlob[] => {
    const blob = blobs.get(path);
    return blob === undefined ? [] : [[path, blob]];
  });
  return readBlobs(git, asked, () => unreadable(root));
}
