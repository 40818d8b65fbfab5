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

/** What has changed a folder. */
const MOST_COMMITS = 2_000;
const MOST_FILES = 20;

/**
 * The newest texts that a branch of this clone ever had of files below a folder, by path: those in whose path a word stands.
 * What was only fetched is a stranger's.
 * @throws SvcError unavailable
 */
export async function filesEverNamed(
  { root, git }: Repository,
  folder: string,
  word: string,
): Promise<ReadonlyMap<string, string>> {
  const { status, out } = await git([
    ...[
      'log',
      'HEAD',
      '--branches',
      '--full-history',
      `--max-count=${MOST_COMMITS}`,
      '--format=',
      '--raw',
      '-z',
      '--no-abbrev',
    ],
    ...['--relative', '--no-renames', '--diff-filter=AM', '--no-ext-diff', '--no-textconv', '--no-color'],
    ...['--', folder],
  ]);
  if (status !== 0) throw unreadable(root);
  const newest = new Map<string, string>();
  for (const { new_path, new_blob } of readRaw(out.toString())) {
    if (newest.size < MOST_FILES && new_path?.includes(word) && !newest.has(new_path)) newest.set(new_path, new_blob);
  }
  return readBlobs(git, [...newest], () => unreadable(root));
}
