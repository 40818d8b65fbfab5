/** What Git knows of the symbols that memories were linked to. */

import { type KnownRenames, openPast, type Past } from '../git/past';
import type { GitHost } from '../git/run-git';
import type { Extract } from '../graph/extract';
import type { CodeSymbol, TouchKey } from '../memory/code/touches';
import { symbolsOf } from './working-files';

/** The past of the links that are looked at together. */
export interface PastSymbols extends Pick<Past, 'follow' | 'otherRef'> {
  /**
   * The symbols of a file at the commit of a link. Undefined where that is not known: also for a link on code that was not
   * committed, because the other files may not have been either.
   */
  at(key: TouchKey, path: string): Promise<readonly CodeSymbol[] | undefined>;
  /** The text that a link was made on; undefined where that is not known. */
  textOf(key: TouchKey): Promise<string | undefined>;
}

/** Looks into the past when it is first asked; undefined where there is none. */
export type OpenPastSymbols = () => Promise<PastSymbols | undefined>;

const KEPT_FILES = 500;

/** Each question opens the repository again: its settings may name other programs by now. */
export function pastSymbols(root: string, extract: Extract, host: GitHost | undefined): OpenPastSymbols {
  const renames: KnownRenames = new Map();
  const files = new Map<string, readonly CodeSymbol[]>();
  return async () => {
    const past = await openPast(root, host, renames);
    if (!past) return undefined;
    // Undefined for what cannot be read: that says nothing of what stood there.
    const read = async (commit: string, path: string): Promise<readonly CodeSymbol[] | undefined> => {
      const text = await past.textAt(commit, path);
      if (text === undefined) return (await past.hadFile(commit, path)) ? undefined : [];
      const { symbols, left_out } = await symbolsOf(extract, path, text);
      return left_out === undefined ? symbols : undefined;
    };
    const symbolsAt = async (commit: string, path: string): Promise<readonly CodeSymbol[] | undefined> => {
      const name = `${commit}:${path}`;
      const known = files.get(name);
      if (known) return known;
      const symbols = await read(commit, path);
      if (!symbols) return undefined;
      const [oldest] = files.keys();
      if (files.size >= KEPT_FILES && oldest !== undefined) files.delete(oldest);
      files.set(name, symbols);
      return symbols;
    };
    const linkedAt = async ({ commit, file_path, name, hash }: TouchKey): Promise<CodeSymbol | undefined> => {
      if (typeof commit !== 'string' || !(await past.has(commit))) return undefined;
      return (await symbolsAt(commit, file_path))?.find(
        (one) => one.name === name && (one.hash === hash || one.old_hash === hash),
      );
    };
    return {
      follow: past.follow,
      otherRef: past.otherRef,
      async at(key, path) {
        return key.commit && (await linkedAt(key)) ? symbolsAt(key.commit, path) : undefined;
      },
      async textOf(key) {
        const symbol = await linkedAt(key);
        const text = symbol && key.commit ? await past.textAt(key.commit, key.file_path) : undefined;
        return symbol && text !== undefined ? linesOf(text, symbol) : undefined;
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
