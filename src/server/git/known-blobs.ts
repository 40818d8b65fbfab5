/** What was at a path of a commit, which never changes: so it is kept from one question to the next. */
import { type Blob, readSized, type SizedBlob, sizedBlob } from './blobs';
import type { Repository } from './open-repository';
import { type Git, unreadable } from './run-git';

/** A file at a commit. `unreadable`: Git cannot tell. */
export type FileThen = 'none' | 'unreadable' | { readonly blob: string; readonly text: string };

export interface KnownBlobs {
  /** By `<commit>:<path>`. */
  readonly blobs: Map<string, Blob>;
  /** By blob. */
  readonly texts: Map<string, string>;
}

const MOST_BLOBS = 20_000;
/** In characters, of all texts together. */
const MOST_TEXT = 8_000_000;

/** @param names `<commit>:<path>` @returns those that there are; undefined where Git cannot tell */
export async function blobsAt(
  git: Git,
  { blobs: known }: KnownBlobs,
  names: readonly string[],
): Promise<ReadonlyMap<string, Blob> | undefined> {
  const open = [...new Set(names.filter((name) => !known.has(name)))];
  const before = names.flatMap((name) => {
    const blob = known.get(name);
    return blob ? [[name, blob] as const] : [];
  });
  if (open.length === 0) return new Map(before);
  const { status, out } = await git(['cat-file', '--batch-check'], open.map((name) => `${name}\n`).join(''));
  if (status !== 0) return undefined;
  const lines = out.toString().split('\n');
  const found = open.flatMap((name, i) => {
    const blob = sizedBlob(lines[i] ?? '');
    return blob ? [[name, blob] as const] : [];
  });
  // A commit does not change. What is not there may still come, from another clone.
  keepNewest(known, MOST_BLOBS, () => 1, found);
  return new Map([...before, ...found]);
}

/** The texts of these, in their order. */
export async function textsOf(
  { git, root }: Repository,
  known: KnownBlobs,
  asked: readonly (Blob | 'none' | 'unreadable')[],
): Promise<FileThen[]> {
  const blobs = asked.flatMap((one) => (typeof one === 'string' ? [] : [{ path: one.blob, ...one }]));
  const open = new Map(blobs.map((one): [string, SizedBlob] => [one.blob, one]));
  const before = [...open.keys()].flatMap((blob) => {
    const text = known.texts.get(blob);
    return text === undefined || !open.delete(blob) ? [] : [[blob, text] as const];
  });
  // A clone may lack older texts, and nothing is fetched.
  const found = await readSized(git, [...open.values()], () => unreadable(root)).catch(() => new Map<string, string>());
  keepNewest(known.texts, MOST_TEXT, (text) => text.length, found);
  const read = new Map([...before, ...found]);
  return asked.map((one) => {
    if (typeof one === 'string') return one;
    const text = read.get(one.blob);
    return text === undefined ? 'unreadable' : { blob: one.blob, text };
  });
}

/** The oldest make room. */
export function keepNewest<Value>(
  known: Map<string, Value>,
  most: number,
  sizeOf: (value: Value) => number,
  found: Iterable<readonly [name: string, value: Value]>,
): void {
  for (const [name, value] of found) known.set(name, value);
  let all = [...known.values()].reduce((sum, value) => sum + sizeOf(value), 0);
  for (const [oldest, value] of known) {
    if (all <= most) break;
    known.delete(oldest);
    all -= sizeOf(value);
  }
}
