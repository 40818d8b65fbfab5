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
  if (wanted.length === 0) return new Map();
  // Sizes first: one file of a gigabyte would be read, and refused then.
  const { out, err } = await askFor(git, '--batch-check', wanted, cannotRead);
  const lines = out.toString().split('\n');
  const found = wanted.flatMap(([path, blob], i): SizedBlob[] => {
    const line = lines[i] ?? '';
    // Nothing has to be at a path; what has a hash was there once.
    if (HASH.test(blob) && line === `${blob} missing`) throw cannotRead(err);
    const sized = sizedBlob(line);
    // By its hash: what a path leads to may change between two starts of Git.
    return sized ? [{ path, ...sized }] : [];
  });
  return readSized(git, found, cannotRead);
}

/** A blob by its hash, with its size in bytes. */
export interface Blob {
  readonly blob: string;
  readonly size: number;
}

export interface SizedBlob extends Blob {
  readonly path: string;
}

/** @param line of `cat-file --batch-check` @returns undefined for what is no blob */
export function sizedBlob(line: string): Blob | undefined {
  const [, blob, size] = FOUND.exec(line) ?? [];
  return blob === undefined ? undefined : { blob, size: Number(size) };
}

/** The same for blobs whose sizes are known. */
export async function readSized(
  git: Git,
  wanted: readonly SizedBlob[],
  cannotRead: (err: string) => Error,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  let group: PathAndBlob[] = [];
  let bytes = 0;
  const readGroup = async (): Promise<void> => {
    if (group.length === 0) return;
    const { out } = await askFor(git, '--batch', group, cannotRead);
    for (const [path, text] of textsIn(out, group)) texts.set(path, text);
    group = [];
    bytes = 0;
  };
  for (const { path, blob, size } of wanted) {
    if (size > MAX_FILE_BYTES) continue;
    if (bytes + size > BYTES_AT_ONCE) await readGroup();
    group.push([path, blob]);
    bytes += size;
  }
  await readGroup();
  return texts;
}

async function askFor(
  git: Git,
  how: '--batch' | '--batch-check',
  blobs: readonly PathAndBlob[],
  cannotRead: (err: string) => Error,
): Promise<{ out: Buffer; err: string }> {
  const { status, out, err } = await git(['cat-file', how], blobs.map(([, blob]) => `${blob}\n`).join(''));
  if (status !== 0) throw cannotRead(err);
  return { out, err };
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
