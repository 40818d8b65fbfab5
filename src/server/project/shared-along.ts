/** What was shared because somebody stored, confirmed or kept it, and is taken back with that. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { replaceFile } from '../base/replace-file';
import { undoneShare } from '../memory/history/undone-share';
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

/** Why an operation is not taken back. */
interface Refusal {
  readonly ok: false;
}

/** Takes an operation back. @returns the number of that */
export type TakeBack<Refused extends Refusal> = (
  operation: number,
) => Promise<{ readonly ok: true; readonly operation?: number } | Refused>;

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

/** @returns what was taken back, in its order, and why the next one was not */
export async function unshare<Refused extends Refusal>(
  { place, store }: Project,
  takeBack: TakeBack<Refused>,
  shares: readonly Share[],
): Promise<{ readonly unshared: readonly Unshared[]; readonly refused?: Refused }> {
  const root = place.root ?? '';
  const unshared: Unshared[] = [];
  for (const { operation, paths } of shares.toReversed()) {
    // One that somebody has taken back already is in nobody's way.
    if (!(await undoneShare(store, operation))?.stands) continue;
    const texts = textsOf(root, paths);
    const undoing = await takeBack(operation);
    if (!undoing.ok) return { unshared, refused: undoing };
    if (undoing.operation !== undefined) unshared.push({ operation: undoing.operation, paths, texts });
  }
  return { unshared };
}

/** Shares again what was taken back, as it was. @returns the shares, in their order */
export async function shareAgain(
  { place, shared }: Project,
  takeBack: TakeBack<Refusal>,
  unshared: readonly Unshared[],
): Promise<readonly Share[]> {
  const root = place.root ?? '';
  const shares: Share[] = [];
  for (const { operation, paths, texts } of unshared.toReversed()) {
    const again = await takeBack(operation);
    if (!again.ok || again.operation === undefined) continue;
    for (const [path, text] of texts) replaceFile(root, join(root, path), text);
    shares.push({ operation: again.operation, paths });
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
