/** Reads the symbols of working files. */
import { join } from 'node:path';
import { isFileThere } from '../base/paths';
import type { Reader } from '../db/sql';
import { type Extract, fileHash, oldFileHash } from '../graph/extract';
import { type FileWithSymbols, filesWithSymbols } from '../graph/find-symbols';
import { languageOf, mayBeScript } from '../graph/language-of';
import { type LeftOutFile, leftOutAt } from '../graph/left-out';
import { isParseFailure, LeftOut } from '../graph/parse-limit';
import { hashOf, textInside } from '../graph/read-source';
import { MAX_FILE_BYTES, openStates, type SkipReason, type SourceFile } from '../graph/source-files';
import { tokenize } from '../graph/tokens';
import type { CodeSymbol } from '../memory/code/touches';
import { insideRoot } from './inside-root';

export const FILE_TYPE = 'file';

/** A symbol as it stands now. */
export interface StandingSymbol extends CodeSymbol {
  /** When the graph first saw this text there, in milliseconds; undefined when it has not yet. */
  readonly since: number | undefined;
}

export interface WorkingFile {
  /** The file itself first; none where there is no such file. */
  readonly symbols: readonly StandingSymbol[];
  /** The graph knows the file as it is, or knows as little of it as there is. */
  readonly current: boolean;
  /** Its path leads out of the root: nothing was looked at. */
  readonly outside?: true;
  /** Why the symbols of the file are not known: then only the file itself may be a symbol. */
  readonly left_out?: SkipReason;
}

/**
 * @param texts by path: what an editor has open counts instead of the file
 * @param apart paths whose text is taken apart although the graph knows it: the graph lacks the hashes of older programs
 */
export type ReadWorkingFiles = (
  graph: Reader,
  paths: Iterable<string>,
  texts?: ReadonlyMap<string, string>,
  apart?: ReadonlySet<string>,
) => Promise<ReadonlyMap<string, WorkingFile>>;

/** After a checkout thousands of files may have changed, and each question is about the same ones. */
const KEPT_SYMBOLS = 50_000;
const FILES_AT_ONCE = 500;
/** As many keep the threads busy that parse. */
const READ_AT_ONCE = 64;

export interface Found {
  readonly symbols: readonly CodeSymbol[];
  readonly left_out?: SkipReason;
}

interface Kept extends Found {
  /** Changes when the file does: its size and time, or an editor's text. */
  readonly state: string;
}

/**
 * Reads the graph where the working file is what the graph was built from, and the file itself where it is not. What was
 * parsed is kept for as long as the file stays as it is.
 */
export function workingFiles(root: string, extract: Extract): ReadWorkingFiles {
  const kept = new Map<string, Kept>();
  let keptSymbols = 0;
  // A file without symbols takes room, too.
  const sizeOf = (found: Found | undefined): number => (found ? found.symbols.length + 1 : 0);
  const forget = (path: string): void => {
    keptSymbols -= sizeOf(kept.get(path));
    kept.delete(path);
  };
  const parsed = async (path: string, state: string, read: () => Promise<Found>): Promise<Found> => {
    const known = kept.get(path);
    if (known?.state === state) return known;
    const found = await read();
    forget(path);
    for (const oldest of kept.keys()) {
      if (keptSymbols + sizeOf(found) <= KEPT_SYMBOLS) break;
      forget(oldest);
    }
    kept.set(path, { state, ...found });
    keptSymbols += sizeOf(found);
    return found;
  };
  const onDisk = async (path: string, before: LeftOutFile | undefined): Promise<Found> => {
    const text = textInside(root, path);
    if (text === undefined) return { symbols: [], left_out: before?.reason ?? 'binary' };
    return before && isParseFailure(before.reason)
      ? unparsed(path, text, before.reason)
      : symbolsOf(extract, path, text);
  };
  return async (graph, paths, texts, apart) => {
    const wanted = [...new Set(paths)];
    const isInside = insideRoot(root);
    const found = new Map<string, WorkingFile>();
    const stateOf = openStates(root);
    for (let i = 0; i < wanted.length; i += FILES_AT_ONCE) {
      const some = wanted.slice(i, i + FILES_AT_ONCE);
      const stored = await filesWithSymbols(graph, some);
      const leftOut = new Map((await leftOutAt(graph, some)).map((file) => [file.path, file]));
      const working = async (path: string): Promise<WorkingFile> => {
        const file = stored.get(path);
        const text = texts?.get(path);
        // Links to code come from stores, and a store may come from anywhere.
        if (text === undefined && !isInside(path)) return { symbols: [], current: true, outside: true };
        if (text !== undefined) {
          // Nearly every text is as it was saved: the first answer of a window does not wait for a grammar.
          if (file && !apart?.has(path) && Buffer.byteLength(text) === file.size && hashOf(text) === file.content_hash)
            return { symbols: storedSymbols(file), current: false };
          const now = await parsed(path, `\n${text}`, () => symbolsOf(extract, path, text));
          return { ...now, symbols: withSince(now.symbols, file), current: false };
        }
        const state = stateOf(path);
        // In a folder that may not be looked into: nobody knows that it is gone.
        if (!state && isFileThere(join(root, path))) return { symbols: [], current: false, left_out: 'unreadable' };
        if (!state) return { symbols: [], current: !file };
        if (state.size > MAX_FILE_BYTES) return { symbols: [], current: !file, left_out: 'too large' };
        if (file && isAsStored(file, state)) return { symbols: storedSymbols(file), current: true };
        const before = leftOut.get(path);
        const now = await parsed(path, `${state.size} ${state.modified_ms}`, () =>
          onDisk(path, before && isAsStored(before, state) ? before : undefined),
        );
        const current = !file && !languageOf(path) && !mayBeScript(path);
        return { ...now, symbols: withSince(now.symbols, file), current };
      };
      const rest = some[Symbol.iterator]();
      // The next file is read while the threads are at others: they wait for none.
      const lane = async (): Promise<void> => {
        for (const path of rest) found.set(path, await working(path));
      };
      await Promise.all(Array.from({ length: READ_AT_ONCE }, lane));
    }
    return found;
  };
}

function isAsStored(stored: Pick<SourceFile, 'size' | 'modified_ms'>, state: SourceFile): boolean {
  return stored.size === state.size && stored.modified_ms === state.modified_ms;
}

function storedSymbols(file: FileWithSymbols): StandingSymbol[] {
  return [
    { ...whole(file.path, file.text_hash, file.lines), since: file.since },
    ...file.symbols.map((one) => ({ ...one, file_path: file.path })),
  ];
}

function withSince(symbols: readonly CodeSymbol[], stored: FileWithSymbols | undefined): readonly StandingSymbol[] {
  const before = stored ? storedSymbols(stored) : [];
  return symbols.map((symbol) => {
    const same = before.find(
      ({ code_type, name, hash }) => code_type === symbol.code_type && name === symbol.name && hash === symbol.hash,
    );
    return { ...symbol, since: same?.since };
  });
}

/** The symbols of a text that lies, or lay, at this path. */
export async function symbolsOf(extract: Extract, path: string, text: string): Promise<Found> {
  const language = languageOf(path, text);
  if (!language) return { symbols: [wholeOf(path, text)] };
  try {
    const { hash, old_hash, lines, definitions } = await extract(text, language, {
      oldHashes: true,
      symbolsAlone: true,
    });
    const inside = definitions.map(({ code_type, qualified, hash, old_hash, start_line, end_line }) => ({
      ...{ file_path: path, code_type, name: qualified, hash, old_hash, start_line, end_line },
    }));
    return { symbols: [{ ...whole(path, hash, lines), old_hash }, ...inside] };
  } catch (error) {
    if (error instanceof LeftOut) return unparsed(path, text, error.reason);
    throw error;
  }
}

/** The symbol of the whole file, which needs only its text. */
function unparsed(path: string, text: string, left_out: SkipReason): Found {
  return { symbols: [wholeOf(path, text)], left_out };
}

function wholeOf(path: string, text: string): CodeSymbol {
  const indented = languageOf(path, text)?.indented ?? false;
  const file = whole(path, fileHash(tokenize(text, indented)), text.split('\n').length);
  return { ...file, old_hash: oldFileHash(text, indented) };
}

function whole(path: string, hash: string, lines: number): CodeSymbol {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { file_path: path, code_type: FILE_TYPE, name, hash, start_line: 1, end_line: lines };
}
