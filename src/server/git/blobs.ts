/** Reads blobs of a Git repository. */
import { decode } from '../graph/read-source';
import { MAX_FILE_BYTES } from '../graph/source-files';
import type { Git } from './run-git';

export type PathAndBlob = readonly [path: string, blob: string];

/** What one start of Git prints is kept in memory. */
const BYTES_AT_ONCE = 32 * 1024 * 1024;
const LINE_FEED = 10;
/** A line of `cat-file`; a name that is not there may hold spaces, and comes back as it was asked for. */
const FOUND = /^([0-9a-f]+) blob (\d+)$/;
const HASH = /^[0-9a-f]+$/;

/**
 * What is stored in a repository, by the path that it was asked for. What is no text or is too large is left out.
 * @param cannotRead what is thrown with the words of a Git that could not read all of it
 */
export async function readBlobs(
  git: Git,
  wanted: readonly PathAndBlob[],
  cannotRead: (err: string) => Error,
): Promise<Map<string, string>> {
  const ask = async (how: '--batch' | '--batch-check', blobs: readonly PathAndBlob[]) => {
    const { status, out, err } = await git(['cat-file', how], blobs.map(([, blob]) => `${blob}\n`).join(''));
    if (status !== 0) throw cannotRead(err);
    return { out, err };
  };
  if (wanted.length === 0) return new Map();
  // Sizes first: one file of a gigabyte would be read, and refused then.
  const checked = await ask('--batch-check', wanted);
  const sizes = checked.out.toString().split('\n');
  const texts = new Map<string, string>();
  let group: PathAndBlob[] = [];
  let bytes = 0;
  const readGroup = async (): Promise<void> => {
    if (group.length === 0) return;
    const { out } = await ask('--batch', group);
    for (const [path, text] of textsIn(out, group)) texts.set(path, text);
    group = [];
    bytes = 0;
  };
  for (const [i, [path, blob]] of wanted.entries()) {
    const line = sizes[i] ?? '';
    // Nothing has to be at a path; what has a hash was there once.
    if (HASH.test(blob) && line === `${blob} missing`) throw cannotRead(checked.err);
    const [, hash, length] = FOUND.exec(line) ?? [];
    const size = Number(length);
    if (hash === undefined || size > MAX_FILE_BYTES) continue;
    if (bytes + size > BYTES_AT_ONCE) await readGroup();
    // By its hash: what a path leads to may change between two starts of Git.
    group.push([path, hash]);
    bytes += size;
  }
  await readGroup();
  return texts;
}

/** @param out what `cat-file --batch` printed: a line with the size before each */
function* textsIn(out: Buffer, group: readonly PathAndBlob[]): Generator<readonly [path: string, text: string]> {
  let at = 0;
  for (const [path] of group) {
    const end = out.indexOf(LINE_FEED, at);
    const found = FOUND.exec(out.subarray(at, Math.max(at, end)).toString());
    if (!found) return;
    const size = Number(found[2]);
    const text = decode(out.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
    if (text !== undefined) yield [path, text];
  }
}
