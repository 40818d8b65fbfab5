import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reader } from '../db/sql';
import { extract, fileHash } from '../graph/extract';
import { type FileWithSymbols, filesWithSymbols } from '../graph/find-symbols';
import { languageOf, mayBeScript } from '../graph/languages';
import type { SourceParser } from '../graph/parser';
import { decode } from '../graph/read-source';
import { MAX_FILE_BYTES, type SourceFile, stateOf } from '../graph/source-files';
import { tokenize } from '../graph/tokens';
import type { CodeSymbol } from '../memory/touches';

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
}

/** @param texts by path: what an editor has unsaved counts instead of the file */
export type ReadWorkingFiles = (
  graph: Reader,
  paths: Iterable<string>,
  texts?: ReadonlyMap<string, string>,
) => Promise<ReadonlyMap<string, WorkingFile>>;

const KEPT_FILES = 500;
const FILES_AT_ONCE = 500;

interface Kept {
  /** What tells whether it is still the same: size and time of the file, or an editor's text. */
  readonly state: string;
  readonly symbols: readonly CodeSymbol[];
}

/**
 * Reads the graph where the working file is what the graph was built from, and the file itself where it is not. What was
 * parsed is kept for as long as the file stays as it is.
 */
export function workingFiles(root: string, parser: SourceParser): ReadWorkingFiles {
  const kept = new Map<string, Kept>();
  const parsed = async (path: string, state: string, read: () => Promise<string | undefined>) => {
    const known = kept.get(path);
    if (known?.state === state) return known.symbols;
    const text = await read();
    const symbols = text === undefined ? [] : await symbolsOf(parser, path, text);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_FILES && oldest !== undefined) kept.delete(oldest);
    kept.set(path, { state, symbols });
    return symbols;
  };
  return async (graph, paths, texts) => {
    const wanted = [...new Set(paths)];
    const found = new Map<string, WorkingFile>();
    for (let i = 0; i < wanted.length; i += FILES_AT_ONCE) {
      const some = wanted.slice(i, i + FILES_AT_ONCE);
      const stored = await filesWithSymbols(graph, some);
      for (const path of some) {
        const file = stored.get(path);
        const text = texts?.get(path);
        const state = text === undefined ? stateOf(root, path) : undefined;
        if (text !== undefined) {
          found.set(path, {
            symbols: withSince(await parsed(path, `\n${text}`, async () => text), file),
            current: false,
          });
        } else if (!state || state.size > MAX_FILE_BYTES) {
          found.set(path, { symbols: [], current: !file });
        } else if (file && isAsStored(file, state)) {
          found.set(path, { symbols: storedSymbols(file), current: true });
        } else {
          const symbols = await parsed(path, `${state.size} ${state.modified_ms}`, () => textOf(root, path));
          found.set(path, {
            symbols: withSince(symbols, file),
            current: !file && !languageOf(path) && !mayBeScript(path),
          });
        }
      }
    }
    return found;
  };
}

function isAsStored(stored: FileWithSymbols, state: SourceFile): boolean {
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

async function textOf(root: string, path: string): Promise<string | undefined> {
  try {
    return decode(await readFile(join(root, path)));
  } catch {
    return undefined;
  }
}

async function symbolsOf(parser: SourceParser, path: string, text: string): Promise<CodeSymbol[]> {
  const language = languageOf(path, text);
  if (!language) return [whole(path, fileHash(tokenize(text, false)), text.split('\n').length)];
  const { hash, lines, definitions } = await extract(parser, text, language);
  return [
    whole(path, hash, lines),
    ...definitions.map(({ code_type, qualified, hash, start_line, end_line }) => ({
      ...{ file_path: path, code_type, name: qualified, hash, start_line, end_line },
    })),
  ];
}

function whole(path: string, hash: string, lines: number): CodeSymbol {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { file_path: path, code_type: FILE_TYPE, name, hash, start_line: 1, end_line: lines };
}
