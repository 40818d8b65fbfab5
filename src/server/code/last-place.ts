/** Follows the symbol of a link through the commits since. */
import type { FileThen } from '../git/known-blobs';
import type { CommitAndPath, Past } from '../git/past';
import { isSameSort } from '../graph/parsed';
import { acceptedTexts, accepts } from '../memory/code/accepted-texts';
import type { FindRenamed, FormerName } from '../memory/code/renamed-symbol';
import { type CodeSymbol, isSamePlace, type TouchKey } from '../memory/code/touches';
import { add, onlyOne, textsIn } from './find-moved';
import { hasSign, signsOf } from './may-hold';
import { linesOf } from './parts-of-file';
import { formerName, type Renamed, renamedSymbols } from './renamed-symbols';
import { underItsName } from './under-its-name';
import { FILE_TYPE } from './working-files';

/** What was renamed or moved more often since is another thing by now. */
const MOST_PLACES = 20;
/** In characters, of all files of a commit together. */
const MOST_TEXT = 1_000_000;

/** Versions of files, each of which is read once. */
export interface Versions {
  readonly past: Pick<
    Past,
    'head' | 'has' | 'otherRef' | 'readChanges' | 'changesAfter' | 'step' | 'behind' | 'changedIn'
  >;
  readAll(asked: readonly CommitAndPath[]): Promise<void>;
  fileAt(commit: string, path: string): Promise<FileThen>;
  /** Undefined for what cannot be read. */
  symbolsAt(commit: string, path: string): Promise<readonly CodeSymbol[] | undefined>;
  /** Kept from one question to the next, which asks the same of what is gone. */
  readonly brought: Brought;
}

/** Where commits took symbols: what a commit did never changes. */
export type Brought = Map<string, { readonly to: CodeSymbol | undefined }>;
const MOST_BROUGHT = 10_000;

/** The names and texts of all links of a file, so that a version of it is taken apart once for them. */
interface AskedNames {
  readonly former: readonly FormerName[];
  readonly renamedIn: FindRenamed | undefined;
}

type KeyOfCommit = TouchKey & { readonly commit: string };

export interface LastPlace {
  /** As if the link had been made there. */
  readonly key: TouchKey;
  /** What its file had then; undefined where that cannot be read. */
  readonly stood: readonly CodeSymbol[] | undefined;
  /** What its file has in the commit that has the symbol no more; undefined also where HEAD has it. */
  readonly after: readonly CodeSymbol[] | undefined;
}

/**
 * Links as if they had been made on the last commit that has their symbol: under its name, in its file. A commit that has it no
 * more says where it is then: in the file that its own was renamed to, with its text under another name, or in the only other
 * file that the commit brought the text to.
 * @returns those that there are, by the link, where it is another place or a later commit
 */
export type FindLastPlaces = (
  keys: readonly TouchKey[],
  renamedIn: FindRenamed | undefined,
) => Promise<ReadonlyMap<TouchKey, LastPlace>>;

export function lastPlaces({ past, readAll, fileAt, symbolsAt, brought }: Versions): FindLastPlaces {
  const named = async (commit: string, key: TouchKey): Promise<CodeSymbol | 'none' | 'unreadable'> => {
    const symbols = await symbolsAt(commit, key.file_path);
    return symbols ? (underItsName(symbols, key) ?? 'none') : 'unreadable';
  };
  const renamedAt = new Map<string, Renamed<CodeSymbol>>();
  /** What has its text in a file of a commit, and has not been there before it. */
  const withItsText = async (
    commit: string,
    path: string,
    key: KeyOfCommit,
    { former, renamedIn }: AskedNames,
  ): Promise<CodeSymbol | undefined> => {
    if (key.code_type === FILE_TYPE) return undefined;
    const symbols = (await symbolsAt(commit, path)) ?? [];
    const file = await fileAt(commit, path);
    const whole = (): string | undefined => (typeof file === 'string' ? undefined : file.text);
    const version = `${commit}:${path}`;
    const renamed = renamedAt.get(version) ?? renamedSymbols({ path, textOf: whole, symbols, former }, renamedIn);
    renamedAt.set(version, renamed);
    const called = (await renamed(formerName(key, textsIn(key)))) ?? [];
    const stood = (await symbolsAt(key.commit, key.file_path)) ?? [];
    const isNew = ({ name }: CodeSymbol): boolean => !stood.some((one) => one.name === name);
    return onlyOne([...new Set([...sameIn(symbols, key), ...called])].filter(isNew), key);
  };
  const textOf = async (key: KeyOfCommit): Promise<string> => {
    const file = await fileAt(key.commit, key.file_path);
    const symbol = await named(key.commit, key);
    return typeof file === 'string' || typeof symbol === 'string' ? '' : linesOf(file.text, symbol);
  };
  /** In the only other file that a commit brought it to. */
  const broughtBy = async (commit: string, key: KeyOfCommit): Promise<CodeSymbol | undefined> => {
    const asked = JSON.stringify([commit, key.file_path, key.code_type, key.name, textsIn(key)]);
    const known = brought.get(asked);
    if (known) return known.to;
    const before = (await past.step(commit))?.before;
    const changed = await past.changedIn(commit);
    if (before === undefined || !changed) return undefined;
    const paths = changed.filter((path) => path !== key.file_path);
    await readAll(paths.map((path) => [commit, path]));
    const signs = signsOf(key, await textOf(key));
    let left = MOST_TEXT;
    const found: CodeSymbol[] = [];
    for (const path of paths) {
      const file = await fileAt(commit, path);
      if (typeof file === 'string') continue;
      left -= file.text.length;
      if (left < 0) return undefined;
      // Most of them have nothing to do with it, and to take each apart would take seconds.
      if (!hasSign(file.text, signs)) continue;
      const same = sameIn((await symbolsAt(commit, path)) ?? [], key);
      if (same.length > 0 && sameIn((await symbolsAt(before, path)) ?? [], key).length === 0) found.push(...same);
    }
    const to = found.every(({ file_path }) => file_path === found[0]?.file_path) ? onlyOne(found, key) : undefined;
    if (brought.size >= MOST_BROUGHT) brought.clear();
    brought.set(asked, { to });
    return to;
  };
  const fileIn = async (commit: string, path: string): Promise<string> =>
    (await past.step(commit))?.renamed.get(path) ?? path;
  /** Where it is in a commit that has it no more in its place. */
  const placeIn = async (commit: string, key: KeyOfCommit, asked: AskedNames): Promise<CodeSymbol | undefined> => {
    const path = await fileIn(commit, key.file_path);
    const inRenamed = path === key.file_path ? 'none' : await named(commit, { ...key, file_path: path });
    if (typeof inRenamed !== 'string') return inRenamed;
    return (await withItsText(commit, path, key, asked)) ?? broughtBy(commit, key);
  };
  /** The later commits that have changed its file; where they are many, the last one stands for all. */
  const changesOf = async ({ commit, file_path }: KeyOfCommit): Promise<readonly string[]> =>
    (await past.changesAfter(commit, file_path)) ?? (past.head === undefined ? [] : [past.head]);
  /** Its file in these commits, in HEAD, and in those before them, of which one has it last. */
  const versionsOf = async (changes: readonly string[], { file_path }: KeyOfCommit): Promise<CommitAndPath[]> => {
    const commits = new Set([...changes, ...(past.head === undefined ? [] : [past.head])]);
    for (const one of changes) commits.add((await past.step(one))?.before ?? one);
    return [...commits].map((one) => [one, file_path]);
  };
  /** Where it stood last, and the commit that has it no more; HEAD may have it. */
  const stoodLast = async (
    key: KeyOfCommit,
  ): Promise<{ readonly left: string | undefined; readonly last: KeyOfCommit }> => {
    let changes = await changesOf(key);
    await readAll(await versionsOf(changes, key));
    const isGone = async (commit: string): Promise<boolean> => (await named(commit, key)) === 'none';
    const standing = async (commit: string | undefined): Promise<KeyOfCommit> => {
      const symbol = commit === undefined ? 'none' : await named(commit, key);
      return commit === undefined || typeof symbol === 'string' ? key : at(commit, symbol, key);
    };
    if (past.head === undefined || !(await isGone(past.head))) {
      return { left: undefined, last: await standing(past.head) };
    }
    for (;;) {
      const left = await lastThat(changes, isGone);
      const before = left === undefined ? changes[0] : (await past.step(left))?.before;
      if (left === undefined || before === undefined || !(await isGone(before))) {
        return { left, last: await standing(before) };
      }
      // It was gone before a branch was merged that still had it.
      const behind = await past.behind(before);
      const earlier = changes.filter((one) => behind.has(one));
      if (earlier.length === 0) return { left, last: key };
      changes = earlier;
    }
  };
  const lastPlace = async (key: KeyOfCommit, asked: AskedNames): Promise<LastPlace | undefined> => {
    let place = key;
    for (let places = 0; places < MOST_PLACES; places++) {
      const { left, last } = await stoodLast(place);
      const next = left === undefined ? undefined : await placeIn(left, last, asked);
      if (left === undefined || !next) {
        if (last.commit === key.commit && isSamePlace(last, key)) return undefined;
        const after = left === undefined ? left : await symbolsAt(left, await fileIn(left, last.file_path));
        return { key: last, stood: await symbolsAt(last.commit, last.file_path), after };
      }
      place = at(left, next, last);
    }
    return undefined;
  };
  const isFollowed = (key: TouchKey): key is KeyOfCommit =>
    typeof key.commit === 'string' && past.has(key.commit) && past.otherRef(key.commit) === undefined;
  return async (keys, renamedIn) => {
    const followed = keys.filter(isFollowed);
    const former = new Map<string, FormerName[]>();
    const versions: CommitAndPath[] = [];
    if (followed.length > 0) await past.readChanges(followed.map(({ file_path }) => file_path));
    for (const key of followed) {
      add(former, key.file_path, formerName(key, textsIn(key)));
      versions.push(...(await versionsOf(await changesOf(key), key)));
    }
    // With the starts of Git for one file after another, those of many would take minutes.
    await readAll(versions);
    const found = new Map<TouchKey, LastPlace>();
    for (const key of followed) {
      const last = await lastPlace(key, { renamedIn, former: former.get(key.file_path) ?? [] });
      if (last) found.set(key, last);
    }
    return found;
  };
}

/** As if a link had been made on this symbol of a commit. What stands there with another text has that one alone. */
function at(commit: string, symbol: CodeSymbol, key: TouchKey): KeyOfCommit {
  const { file_path, code_type, name, hash } = symbol;
  const texts = accepts(acceptedTexts(key), symbol) ? acceptedTexts(key) : [];
  const confirmed = JSON.stringify(texts.filter((text) => text !== hash));
  return { ...key, commit, file_path, code_type, name, hash, confirmed };
}

function sameIn(symbols: readonly CodeSymbol[], key: TouchKey): CodeSymbol[] {
  const texts = textsIn(key);
  return symbols.filter((one) => isSameSort(one.code_type, key.code_type) && accepts(texts, one));
}

/** Of a list in which something holds up to a place and not behind it, the last one for which it holds, in few questions. */
async function lastThat<One>(list: readonly One[], holds: (one: One) => Promise<boolean>): Promise<One | undefined> {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one !== undefined && (await holds(one))) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}
