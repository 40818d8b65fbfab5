/** What was shared because somebody stored, confirmed or kept it, and is taken back with that. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { isThere } from '../base/paths';
import { replaceFile } from '../base/replace-file';
import { readFile } from '../shared/scan-folder';
import type { Project } from './open';

/** Memories that were shared by one operation. */
export interface Share {
  readonly operation: number;
  /** Of their files, relative to the root, with `/`. */
  readonly paths: readonly string[];
}

/** A share that was taken back. */
export interface Unshared extends Share {
  /** Of the undoing. */
  readonly operation: number;
  /** What the files said: of what a memory takes the place of, only they may know. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Takes an operation back. @returns the number of that, undefined where it was refused */
export type TakeBack = (operation: number) => Promise<number | undefined>;

const call = new AsyncLocalStorage<Share[]>();

/** Notes a share for whoever has called; nobody may have asked. */
export function noteShare(share: Share): void {
  call.getStore()?.push(share);
}

/** Does something, and tells what was shared along with it, in that order. */
export async function withShares<T>(work: () => Promise<T>): Promise<readonly [T, readonly Share[]]> {
  const shares: Share[] = [];
  return [await call.run(shares, work), shares];
}

/** @returns what was taken back, in its order, and a file that somebody has edited since, which counts and stays */
export async function unshare(
  { place }: Project,
  takeBack: TakeBack,
  shares: readonly Share[],
): Promise<{ readonly unshared: readonly Unshared[]; readonly edited: string | undefined }> {
  const root = place.root ?? '';
  const unshared: Unshared[] = [];
  for (const { operation, paths } of shares.toReversed()) {
    const texts = textsOf(root, paths);
    const undoing = await takeBack(operation);
    // One that somebody has taken back already is in nobody's way.
    if (undoing !== undefined) unshared.push({ operation: undoing, paths, texts });
    const edited = paths.find((path) => isThere(join(root, path)));
    if (edited !== undefined) return { unshared, edited };
  }
  return { unshared, edited: undefined };
}

/** Shares again what was taken back, as it was. @returns the shares, in their order */
export async function shareAgain(
  { place, shared }: Project,
  takeBack: TakeBack,
  unshared: readonly Unshared[],
): Promise<readonly Share[]> {
  const root = place.root ?? '';
  const shares: Share[] = [];
  for (const { operation, paths, texts } of unshared.toReversed()) {
    const again = await takeBack(operation);
    if (again === undefined) continue;
    for (const [path, text] of texts) replaceFile(root, join(root, path), text);
    shares.push({ operation: again, paths });
  }
  if (shares.length > 0) await shared.refresh();
  return shares;
}

function textsOf(root: string, paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    paths.flatMap((path) => {
      const read = readFile(root, root, path);
      return 'text' in read ? [[path, read.text] as const] : [];
    }),
  );
}
