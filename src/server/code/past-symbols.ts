/** What Git knows of the symbols that memories were linked to. */

import { blobOf } from '../git/blobs';
import { headCommit } from '../git/head-commit';
import { AS_NOW, type CommitAndPath, type FileThen, nothingKnown, openPast, type Past } from '../git/past';
import type { GitHost } from '../git/run-git';
import type { Extract } from '../graph/extract';
import { textInside } from '../graph/read-source';
import { acceptedTexts, accepts, type CodeSymbol, type TouchKey } from '../memory/code/touches';
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
  /** The text that a link was made on; undefined where that is not known. */
  textOf(key: TouchKey): Promise<string | undefined>;
  /**
   * The branch that got what a link was made on before that was committed: it stands there, and never stood in the history
   * of HEAD since.
   */
  branchWith(key: TouchKey): Promise<string | undefined>;
}

/** `as now` for a file that is the same. Else the symbols that stood there, though `all` of them may not be known. */
export type Before = 'as now' | { readonly symbols: readonly CodeSymbol[]; readonly all: boolean };

/** Looks into the past of these commits when it is first asked; undefined where there is none. */
export type OpenPastSymbols = (commits: readonly string[]) => Promise<PastSymbols | undefined>;

/** The past of a project, for one question after another. */
export interface PastOfProject {
  readonly open: OpenPastSymbols;
  /** Something in the folder has changed: the next question looks again. */
  forget(): void;
}

const KEPT_FILES = 500;
/** Past the commits of so many links, only those that are asked about are looked at. */
const MOST_COMMITS = 500;

/**
 * Each question opens the repository again: its settings may name other programs by now.
 * @param keptMs so long one answer holds for the questions that come after it, unless HEAD moves or it is forgotten. For a
 * process that hears of what changes in the folder: each question starts Git several times
 */
export function pastSymbols(root: string, extract: Extract, host: GitHost | undefined, keptMs = 0): PastOfProject {
  const open = openEachTime(root, extract, host);
  if (keptMs === 0) return { open, forget() {} };
  let kept:
    | { readonly head: string | null; readonly until: number; readonly past: ReturnType<OpenPastSymbols> }
    | undefined;
  let commits: ReadonlySet<string> = new Set();
  return {
    open(asked) {
      const head = headCommit(root);
      const isFresh = kept?.head === head && performance.now() < kept.until;
      if (kept && isFresh && asked.every((commit) => commits.has(commit))) return kept.past;
      // With those that were asked about before, so that the next question finds its own among them.
      commits = new Set([...asked, ...(commits.size < MOST_COMMITS ? commits : [])]);
      kept = { head, until: performance.now() + keptMs, past: open([...commits]) };
      return kept.past;
    },
    forget() {
      kept = undefined;
    },
  };
}

function openEachTime(root: string, extract: Extract, host: GitHost | undefined): OpenPastSymbols {
  const known = nothingKnown();
  const parsed = new Map<string, readonly CodeSymbol[]>();
  return async (commits) => {
    const past = await openPast(root, host, known, commits);
    if (!past) return undefined;
    const files = new Map<string, FileThen>();
    const nameOf = ([commit, path]: CommitAndPath): string => `${commit}:${path}`;
    let expected: CommitAndPath[] = [];
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
    const textOf = (path: string, file: FileThen): string | undefined => {
      if (typeof file === 'string') return undefined;
      return file.text === AS_NOW ? textInside(root, path) : file.text;
    };
    /** Undefined for what cannot be read: that says nothing of what stood there. */
    const symbolsAt = async (commit: string, path: string): Promise<readonly CodeSymbol[] | undefined> => {
      const file = await fileAt(commit, path);
      if (typeof file === 'string') return file === 'none' ? [] : undefined;
      const name = `${file.blob} ${path}`;
      const before = parsed.get(name);
      if (before) return before;
      const text = textOf(path, file);
      if (text === undefined) return undefined;
      const { symbols, left_out } = await symbolsOf(extract, path, text);
      if (left_out !== undefined) return undefined;
      // The working file may have changed since it was compared.
      const isIt =
        file.text !== AS_NOW ||
        [text, text.replaceAll('\r\n', '\n')].some((one) => blobOf(one, file.blob) === file.blob);
      if (!isIt) return symbols;
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
    return {
      follow: past.follow,
      otherRef: past.otherRef,
      isKeptOut: past.isKeptOut,
      expect(asked) {
        // Several may look at the same time.
        expected.push(...asked);
      },
      async before(key, path, isSaved) {
        const { commit } = key;
        if (typeof commit !== 'string' || !(await linkedAt(key))) return undefined;
        const same = await fileAt(commit, path);
        if (isSaved && typeof same !== 'string' && same.text === AS_NOW) return 'as now';
        const origins = [...(await past.origins(commit, path))];
        const there = await Promise.all(origins.map(async (one) => (await fileAt(commit, one)) !== 'none'));
        const like = there.includes(true) ? undefined : await past.likeness(commit, path);
        if (like !== undefined) origins.push(like);
        const found = await Promise.all(origins.map((one) => symbolsAt(commit, one)));
        return {
          symbols: found.flatMap((symbols) => symbols ?? []),
          all: found.every((symbols) => symbols !== undefined),
        };
      },
      async textOf(key) {
        const symbol = await linkedAt(key);
        const text = symbol && key.commit ? textOf(key.file_path, await fileAt(key.commit, key.file_path)) : undefined;
        return symbol && text !== undefined ? linesOf(text, symbol) : undefined;
      },
      async branchWith(key) {
        const { commit, file_path, name } = key;
        if (typeof commit !== 'string' || !past.has(commit) || (await linkedAt(key))) return undefined;
        const texts = acceptedTexts(key);
        /** The first of these commits that has it. */
        const firstWith = async (commits: readonly string[]): Promise<string | undefined> => {
          await readAll(commits.map((one) => [one, file_path]));
          for (const one of commits) {
            const symbols = (await symbolsAt(one, file_path)) ?? [];
            if (symbols.some((symbol) => symbol.name === name && accepts(texts, symbol))) return one;
          }
          return undefined;
        };
        const branches = await past.branchesBeside();
        const found = await firstWith(branches.map((branch) => branch.commit));
        const changes = found === undefined ? undefined : await past.changesSince(commit, file_path);
        if (changes === undefined || (await firstWith(changes)) !== undefined) return undefined;
        return branches.find((branch) => branch.commit === found)?.name;
      },
    };
  };
}

/** The lines of a symbol in the text of its file. */
export function linesOf(text: string, { start_line, end_line }: Pick<CodeSymbol, 'start_line' | 'end_line'>): string {
  return text
    .split('\n')
    .slice(start_line - 1, end_line)
    .join('\n');
}
