/** Decides which working files really differ from what Git stores. */
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_FILE_BYTES } from '../graph/source-files';
import type { RawFile } from './diff';
import type { Repository } from './open-repository';
import { unreadable } from './run-git';

export interface JudgedFiles {
  readonly files: readonly RawFile[];
  /** Those of them whose text after the change is the stored one, not the working file's. */
  readonly stored: ReadonlySet<RawFile>;
}

/** Git's word for a blob that it has not made: it saw another time or size, and looked no further. */
const NOT_LOOKED_AT = /^0+$/;
/** The protocol goes by lines, and takes a quotation mark for the begin of an escaped name. */
const NOT_BY_LINE = /[\r\n]|^"/;
/** What Git LFS keeps in place of a file. */
const LFS_POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[a-z0-9.-]+ .*\n)*?oid sha256:([0-9a-f]{64})\nsize \d+\n$/;
const LONGEST_POINTER = 1024;

/**
 * The files that a diff with the working files is about. Git lists what has another time than its index says, and with
 * filters off (see `open-repository`) it takes what a filter would change back for a change. So:
 * - What holds the same bytes as before is left out, as `git diff` would.
 * - A file behind a filter that only Git has written is judged by the stored texts, before and after.
 * - One that is kept elsewhere (LFS) is left out when it is what the pointer names. Else its pointer is its text.
 * - Any other one behind a filter is compared as it is: by text, and what was linked to the working file knows it again.
 */
export async function judgedFiles(
  repository: Repository,
  differing: readonly RawFile[],
  textsOf: (files: readonly RawFile[]) => Promise<ReadonlyMap<string, string>>,
): Promise<JudgedFiles> {
  const filtered = await filteredPaths(repository, differing);
  const isFiltered = ({ new_path }: RawFile): boolean => new_path !== undefined && filtered.has(new_path);
  const untouched = await storedBlobs(repository, differing.filter(isTouched).filter(isFiltered));
  const known = differing.map((file) => {
    const blob = file.new_path === undefined ? undefined : untouched.get(file.new_path);
    return blob === undefined ? file : { ...file, new_blob: blob };
  });
  const touched = known.filter(isTouched);
  const blobs = await workingBlobs(repository, touched);
  const pointers = touched.filter(isFiltered);
  const texts = pointers.length === 0 ? new Map<string, string>() : await textsOf(pointers);
  const files: RawFile[] = [];
  for (const file of known) {
    const { old_path, new_path, old_blob, new_blob } = file;
    const isInPlace = old_path !== undefined && old_path === new_path;
    if (isInPlace && old_blob === (blobs.get(new_path) ?? new_blob)) continue;
    const text = isInPlace ? texts.get(old_path) : undefined;
    if (text !== undefined && (await isKeptElsewhere(join(repository.root, old_path ?? ''), text))) continue;
    files.push(file);
  }
  return { files, stored: new Set(files.filter((file) => isFiltered(file) && !isTouched(file))) };
}

function isTouched({ new_path, new_blob }: RawFile): boolean {
  return new_path !== undefined && NOT_LOOKED_AT.test(new_blob);
}

/** Nobody is asked where no filter is configured. */
async function filteredPaths({ root, git, filters }: Repository, files: readonly RawFile[]): Promise<Set<string>> {
  const paths = files.flatMap(({ new_path }) => (new_path === undefined ? [] : [`${new_path}\0`]));
  if (filters.size === 0 || paths.length === 0) return new Set();
  const { status, out } = await git(['check-attr', '-z', '--stdin', 'filter'], paths.join(''));
  if (status !== 0) throw unreadable(root);
  const filtered = new Set<string>();
  const fields = out.toString().split('\0');
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path = '', , filter = ''] = fields.slice(i, i + 3);
    if (filters.has(filter)) filtered.add(path);
  }
  return filtered;
}

/** By path, what the index has of the files that were last written when it says. Git itself looks at whole seconds. */
async function storedBlobs({ root, git }: Repository, files: readonly RawFile[]): Promise<Map<string, string>> {
  const blobs = new Map<string, string>();
  if (files.length === 0) return blobs;
  const wanted = new Set(files.map(({ new_path }) => new_path));
  const { out } = await git(['ls-files', '--stage', '--debug', '-z']);
  const entry = /\d+ ([0-9a-f]+) 0\t([^\0]+)\0 *ctime: \d+:\d+\n *mtime: (\d+):(\d+)\n/g;
  for (const [, blob = '', path = '', seconds = '', nanoseconds = ''] of out.toString().matchAll(entry)) {
    if (!wanted.has(path)) continue;
    const found = await lstat(join(root, path), { bigint: true }).catch(() => undefined);
    if (found?.mtimeNs === BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds)) blobs.set(path, blob);
  }
  return blobs;
}

/** By path, what would be stored of the working files if they were added now. */
async function workingBlobs(
  { root, git, prefix }: Repository,
  files: readonly RawFile[],
): Promise<Map<string, string>> {
  const inPlace = files.flatMap(({ old_path, new_path }) =>
    new_path !== undefined && new_path === old_path && !NOT_BY_LINE.test(prefix + new_path) ? [new_path] : [],
  );
  const found = await Promise.all(inPlace.map((path) => lstat(join(root, path)).catch(() => undefined)));
  // On a pipe Git would wait for ever.
  const paths = inPlace.filter((_, i) => found[i]?.isFile());
  if (paths.length === 0) return new Map();
  // It goes by the top of the work tree, wherever it is run.
  const { out } = await git(['hash-object', '--stdin-paths'], paths.map((path) => `${prefix}${path}\n`).join(''));
  const blobs = out.toString().split('\n');
  // It ends at a file that it cannot read; those from there on count as changed.
  return new Map(paths.flatMap((path, i) => (blobs[i] ? [[path, blobs[i]] as const] : [])));
}

/** Whether a working file is what a pointer names, or too large to be looked at. */
async function isKeptElsewhere(file: string, text: string): Promise<boolean> {
  const name = text.length > LONGEST_POINTER ? undefined : LFS_POINTER.exec(text)?.[1];
  if (name === undefined) return false;
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return false;
  return (
    found.size > MAX_FILE_BYTES ||
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex') === name
  );
}
