import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reader } from '../db/sql';
import { extract, fileHash } from '../graph/extract';
import { storedFile, symbolsOfFile } from '../graph/find-symbols';
import { languageOf } from '../graph/languages';
import { openParser, type SourceParser } from '../graph/parser';
import { decode } from '../graph/read-source';
import { stateOf } from '../graph/source-files';
import { tokenize } from '../graph/tokens';
import type { CodeSymbol } from '../memory/touches';

export const FILE_TYPE = 'file';

/** A file's symbols as they stand on the disk now, the file itself first. */
export type SymbolsNow = (graph: Reader, path: string) => Promise<readonly CodeSymbol[]>;

const KEPT_FILES = 200;
/** A larger file is data, whatever its name. */
const MAX_FILE_BYTES = 1_000_000;

interface Kept {
  readonly size: number;
  readonly modified_ms: number;
  readonly symbols: readonly CodeSymbol[];
}

/** Reads the graph where the working file is what the graph was built from, and the file itself where it is not. */
export function workingFiles(root: string, assets: string): SymbolsNow {
  let parser: SourceParser | undefined;
  const kept = new Map<string, Kept>();
  return async (graph, path) => {
    const state = stateOf(root, path);
    if (!state || state.size > MAX_FILE_BYTES) return [];
    const stored = await storedFile(graph, path);
    if (stored?.size === state.size && stored.modified_ms === state.modified_ms) {
      const symbols = await symbolsOfFile(graph, path);
      return [
        whole(path, stored.text_hash, stored.lines),
        ...symbols.map(({ code_type, qualified, hash, start_line, end_line }) => ({
          ...{ file_path: path, code_type, name: qualified, hash, start_line, end_line },
        })),
      ];
    }
    const known = kept.get(path);
    if (known?.size === state.size && known.modified_ms === state.modified_ms) return known.symbols;
    parser ??= openParser(assets);
    const symbols = await readNow(parser, root, path);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_FILES && oldest !== undefined) kept.delete(oldest);
    kept.set(path, { size: state.size, modified_ms: state.modified_ms, symbols });
    return symbols;
  };
}

async function readNow(parser: SourceParser, root: string, path: string): Promise<CodeSymbol[]> {
  let text: string | undefined;
  try {
    text = decode(await readFile(join(root, path)));
  } catch {
    return [];
  }
  if (text === undefined) return [];
  const language = languageOf(path);
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
