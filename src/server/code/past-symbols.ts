/** What Git knows of the symbols that memories were linked to. */
import { headCommit } from '../git/head-commit';
import type { FileThen } from '../git/known-blobs';
import { type CommitAndPath, nothingKnown, openPast, type Past } from '../git/past';
import type { Branch } from '../git/references';
import type { GitHost } from '../git/run-git';
import type { Extract } from '../graph/extract';
import { acceptedTexts, accepts, isOnNothing } from '../memory/code/accepted-texts';
import type { CodeSymbol, LocatedSymbol, TouchKey } from '../memory/code/touches';
import { type Brought, type FindLastPlaces, lastPlaces } from './last-place';
import type { FormerText } from './most-alike';
import { aroundIn, linesOf } from './parts-of-file';
import { symbolsOf } from './working-files';

/** The past of the links that are looked at together. */
export interface PastSymbols extends Pick<Past, 'follow' | 'otherRef' | 'isKeptOut'> {
  /** What may be asked about: working files, by the commits of links. The first question about one reads all of them at once. */
  expect(asked: readonly CommitAndPath[]): void;
  /**
   * What stood in the files, at the commit of a link, that a working file comes from. Undefined where that is not known:
   * also for a link on code that was not committed, because the other files may not have been either.
   * @param isSaved whether what is asked about is the working file, and not what an editor makes of it
   */
  before(key: TouchKey, path: string, isSaved: boolean): Promise<Before | undefined>;
  /** The same for a link on code that was not committed: what stood in the files then, and may not be all. */
  beforeUncommitted(key: TouchKey, path: string): Promise<Before | undefined>;
  /** Links as if they had been made on the last commit that has their symbol. */
  readonly lastPlaces: FindLastPlaces;
  /** The text that a link was made on; undefined where that is not known. */
  textOf(key: TouchKey): Promise<string | undefined>;
  /** The same, and of a link that was made before its code was committed, as HEAD got it later. */
  former(key: TouchKey): Promise<FormerText | undefined>;
  /**
   * The branch that got what a link was made on before that was committed: it stands there, and never stood in the history
   * of HEAD since. Where it was gone then, the branch that lacks it, while HEAD never did.
   * @param isGone whether HEAD has nothing of its name: then also the branch that got it with another text since the link was
   * made, if HEAD never had it
   */
  branchWith(key: TouchKey, isGone?: boolean): Promise<string | undefined>;
  /**
   * Whether a text that the link was confirmed with since it was made stood in the commits that only HEAD has, and stands on
   * no other branch: what differs from it was changed there.
   */
  wasConfirmedHere(key: TouchKey): Promise<boolean>;
  /**
   * Those of the links whose symbol is not as HEAD has it: it was edited, moved or removed since. Files that are as at HEAD
   * are not read.
   * @param isSaved as in `before`, of a path
   */
  editedSinceHead(
    found: readonly (readonly [LocatedSymbol, TouchKey])[],
    isSaved: (path: string) => boolean,
  ): Promise<ReadonlySet<TouchKey>>;
}

/** `as now` for a file that is the same. Else the symbols that stood there, though `all` of them may not be known. */
export type Before = 'as now' | { readonly symbols: readonly CodeSymbol[]; readonly all: boolean };

/** Looks into the past of these commits when it is first asked; undefined where there is none. */
export type OpenPastSymbols = (commits: readonly string[]) => Promise<PastSymbols | undefined>;

/** The past of a project, for one question after another. */
export interface PastOfProject {
  readonly open: OpenPastSymbols;
  /** A reference or a setting of the repository has changed: the next question looks again. */
  forget(): void;
}

const KEPT_FILES = 500;
/** More commits than this are not asked about together. */
const MOST_COMMITS = 500;

/** What Git said of the commits that were asked about together. */
interface Opened {
  readonly head: string;
  readonly commits: ReadonlySet<string>;
  readonly past: ReturnType<typeof openPast>;
}

/**
 * @param keptMs how long HEAD and the references are taken to stay as they are. A process that is told when they change
 * starts Git less often with it. The working files, and what their settings name, are looked at for each question.
 */
export function pastSymbols(root: string, extract: Extract, host: GitHost | undefined, keptMs = 0): PastOfProject {
  const known = nothingKnown();
  const parsed: Parsed = new Map();
  const brought: Brought = new Map();
  let kept: Opened | undefined;
  /** What was asked about before is asked about again, by another question. */
  let lately: ReadonlySet<string> = new Set();
  const opened = (asked: readonly string[]): Opened['past'] => {
    const head = headCommit(root);
    const before = kept?.head === head ? kept : undefined;
    if (before && asked.every((commit) => before.commits.has(commit))) return before.past;
    if (keptMs === 0 || head === null) return openPast(root, host, known, asked);
    // All together, so that the next question finds its own among them.
    const commits = new Set([...asked, ...(lately.size < MOST_COMMITS ? lately : [])]);
    lately = commits;
    const past = openPast(root, host, known, [...commits]);
    const own: Opened = { head, commits, past };
    kept = own;
    const drop = (): void => {
      if (kept === own) kept = undefined;
    };
    past.then((found) => (found?.head === head ? setTimeout(drop, keptMs).unref() : drop()), drop);
    return past;
  };
  return {
    async open(commits) {
      const past = (await opened(commits))?.look();
      return past && symbolsOfPast(past, extract, { parsed, brought });
    },
    forget() {
      kept = undefined;
    },
  };
}

const commitsOf = (branches: readonly Branch[]): string[] => branches.map(({ commit }) => commit);

/** By blob and path. */
type Parsed = Map<string, readonly CodeSymbol[]>;

/** Kept from one question to the next. */
interface KeptPast {
  readonly parsed: Parsed;
  readonly brought: Brought;
}

function symbolsOfPast(past: Past, extract: Extract, { parsed, brought }: KeptPast): PastSymbols {
  const files = new Map<string, FileThen>();
  const nameOf = ([commit, path]: CommitAndPath): string => `${commit}:${path}`;
  let expected: readonly CommitAndPath[] = [];
  const readAll = async (asked: readonly CommitAndPath[]): Promise<void> => {
    const open = asked.filter((one) => !files.has(nameOf(one)));
    const found = open.length === 0 ? [] : await past.filesAt(open);
    for (const [i, one] of open.entries()) files.set(nameOf(one), found[i] ?? 'unreadable');
  };
  const fileAt = async (...one: CommitAndPath): Promise<FileThen> => {
    const known = files.get(nameOf(one));
    if (known) return known;
    const asked = new Map([[nameOf(one), one]]);
    for (const [commit, path] of expected) {
      for (const origin of await past.origins(commit, path)) asked.set(nameOf([commit, origin]), [commit, origin]);
    }
    expected = [];
    await readAll([...asked.values()]);
    return files.get(nameOf(one)) ?? 'unreadable';
  };
  /** Undefined for what cannot be read: that says nothing of what stood there. */
  const symbolsAt = async (commit: string, path: string): Promise<readonly CodeSymbol[] | undefined> => {
    const file = await fileAt(commit, path);
    if (typeof file === 'string') return file === 'none' ? [] : undefined;
    const name = `${file.blob} ${path}`;
    const before = parsed.get(name);
    if (before) return before;
    const { symbols, left_out } = await symbolsOf(extract, path, file.text);
    if (left_out !== undefined) return undefined;
    const [oldest] = parsed.keys();
    if (parsed.size >= KEPT_FILES && oldest !== undefined) parsed.delete(oldest);
    parsed.set(name, symbols);
    return symbols;
  };
  const linkedAt = async ({ commit, file_path, name, hash }: TouchKey): Promise<CodeSymbol | undefined> => {
    if (typeof commit !== 'string' || !past.has(commit)) return undefined;
    return (await symbolsAt(commit, file_path))?.find(
      (one) => one.name === name && (one.hash === hash || one.old_hash === hash),
    );
  };
  const formerAt = async (commit: string, symbol: CodeSymbol): Promise<FormerText | undefined> => {
    const file = await fileAt(commit, symbol.file_path);
    const beside = (await symbolsAt(commit, symbol.file_path)) ?? [];
    if (typeof file === 'string') return undefined;
    return { name: symbol.name, text: linesOf(file.text, symbol), level: aroundIn(beside)(symbol).length };
  };
  const linkedText = async (key: TouchKey): Promise<FormerText | undefined> => {
    const symbol = await linkedAt(key);
    return symbol && key.commit ? formerAt(key.commit, symbol) : undefined;
  };
  /** The first of these commits that has one of the texts under the name of the link. */
  const firstWith = async (
    commits: readonly string[],
    { file_path, name }: TouchKey,
    texts: readonly string[],
  ): Promise<string | undefined> => {
    await readAll(commits.map((one) => [one, file_path]));
    for (const one of commits) {
      const symbols = (await symbolsAt(one, file_path)) ?? [];
      if (symbols.some((symbol) => symbol.name === name && accepts(texts, symbol))) return one;
    }
    return undefined;
  };
  /** Whether something of the name of the link stands in its file at a commit; undefined where that cannot be read. */
  const hasName = async (commit: string, { file_path, name }: TouchKey): Promise<boolean | undefined> =>
    (await symbolsAt(commit, file_path))?.some((symbol) => symbol.name === name);
  /** Whether HEAD still has what the link is called as it had it when something was put aside. Else that is an older version. */
  const isSameSince = async (madeOn: string, { file_path, name }: TouchKey): Promise<boolean> => {
    const [then, now] = await Promise.all(
      [madeOn, past.head ?? madeOn].map(async (commit) =>
        (await symbolsAt(commit, file_path))?.flatMap((symbol) => (symbol.name === name ? [symbol.hash] : [])),
      ),
    );
    return then !== undefined && JSON.stringify(then) === JSON.stringify(now);
  };
  /**
   * The first of these branches that has the name of a link since the link was made, where HEAD never had it; that lacks it,
   * where HEAD always had it.
   */
  const firstSince = async (
    what: 'has it' | 'lacks it',
    branches: readonly Branch[],
    key: TouchKey & { readonly commit: string },
  ): Promise<Branch | undefined> => {
    const isThere = what === 'has it';
    const changes = await past.changesSince(key.commit, key.file_path);
    if (!changes) return undefined;
    await readAll([...changes, ...commitsOf(branches)].map((one) => [one, key.file_path]));
    for (const one of changes) if ((await hasName(one, key)) !== !isThere) return undefined;
    for (const one of branches) {
      if ((await hasName(one.commit, key)) !== isThere) continue;
      // A branch that is older has something else of that name, or has not got it yet.
      if (!(await past.isBefore(key.commit, one.madeOn ?? one.commit))) continue;
      if (isThere || one.madeOn === undefined || (await isSameSince(one.madeOn, key))) return one;
    }
    return undefined;
  };
  const stoodIn = async (commit: string, path: string): Promise<Exclude<Before, 'as now'>> => {
    const origins = [...(await past.origins(commit, path))];
    const there = await Promise.all(origins.map(async (one) => (await fileAt(commit, one)) !== 'none'));
    const like = there.includes(true) ? undefined : await past.likeness(commit, path);
    if (like !== undefined) origins.push(like);
    const found = await Promise.all(origins.map((one) => symbolsAt(commit, one)));
    return {
      symbols: found.flatMap((symbols) => symbols ?? []),
      all: found.every((symbols) => symbols !== undefined),
    };
  };
  return {
    follow: past.follow,
    otherRef: past.otherRef,
    isKeptOut: past.isKeptOut,
    expect(asked) {
      expected = asked;
    },
    async before(key, path, isSaved) {
      const { commit } = key;
      if (typeof commit !== 'string' || !(await linkedAt(key))) return undefined;
      if (isSaved && (await past.isAsNow(commit, path))) return 'as now';
      return stoodIn(commit, path);
    },
    async beforeUncommitted({ commit }, path) {
      if (typeof commit !== 'string' || !past.has(commit)) return undefined;
      return { ...(await stoodIn(commit, path)), all: false };
    },
    lastPlaces: lastPlaces({ past, readAll, fileAt, symbolsAt, brought }),
    textOf: async (key) => (await linkedText(key))?.text,
    async former(key) {
      const linked = await linkedText(key);
      if (linked) return linked;
      const { commit, file_path, name } = key;
      const changes = typeof commit === 'string' ? await past.changesSince(commit, file_path) : undefined;
      const texts = acceptedTexts(key);
      const found = await firstWith(changes ?? [], key, texts);
      if (found === undefined) return undefined;
      const symbol = (await symbolsAt(found, file_path))?.find((one) => one.name === name && accepts(texts, one));
      return symbol && formerAt(found, symbol);
    },
    async branchWith(key, isGone = false) {
      const { commit, file_path, name } = key;
      if (typeof commit !== 'string' || !past.has(commit) || (await linkedAt(key))) return undefined;
      const branches = await past.branchesBeside();
      if (isOnNothing(key)) {
        const isLater = (await hasName(commit, key)) === true;
        return isLater ? (await firstSince('lacks it', branches, { ...key, commit }))?.name : undefined;
      }
      const texts = acceptedTexts(key);
      const last = await firstWith(commitsOf(branches), key, texts);
      const found = branches.find((branch) => branch.commit === last);
      const changes = found && (await past.changesSince(commit, file_path));
      const neverHadIt = changes && (await firstWith(changes, key, texts)) === undefined;
      if (neverHadIt && (found.madeOn === undefined || (await isSameSince(found.madeOn, key)))) return found.name;
      // It was changed once more before it was committed there.
      const atLink = isGone ? await symbolsAt(commit, file_path) : undefined;
      if (!atLink || atLink.some((one) => one.name === name)) return undefined;
      return (await firstSince('has it', branches, { ...key, commit }))?.name;
    },
    async wasConfirmedHere(key) {
      const { commit, file_path, hash } = key;
      const confirmed = acceptedTexts(key).filter((text) => text !== hash && text !== '');
      if (confirmed.length === 0 || typeof commit !== 'string') return false;
      const changes = (await past.changesSince(commit, file_path)) ?? [];
      for (const text of confirmed) {
        if ((await firstWith(changes, key, [text])) === undefined) continue;
        // Where another branch has it, it may have been confirmed there. What was put aside was changed from this one.
        const others = (await past.branchesBeside()).filter(({ madeOn }) => madeOn === undefined);
        if ((await firstWith(commitsOf(others), key, [text])) === undefined) return true;
      }
      return false;
    },
    async editedSinceHead(found, isSaved) {
      const { head } = past;
      const edited = new Set<TouchKey>();
      if (head === undefined) return edited;
      const open: { key: TouchKey; path: string; symbol: CodeSymbol | undefined }[] = [];
      for (const [{ symbol }, key] of found) {
        const path = symbol?.file_path ?? key.file_path;
        if (!isSaved(path) || (await past.isEdited(path))) open.push({ key, path, symbol });
      }
      await readAll(open.map(({ path }) => [head, path]));
      for (const { key, path, symbol } of open) {
        const name = symbol?.name ?? key.name;
        const atHead = (await symbolsAt(head, path))?.filter((one) => one.name === name);
        if (!atHead) continue;
        const isOther = symbol ? !atHead.some(({ hash }) => hash === symbol.hash) : atHead.length > 0;
        if (isOther) edited.add(key);
      }
      return edited;
    },
  };
}
