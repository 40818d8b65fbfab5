import { invalidInput } from '../../src/server/base/errors';
import { acceptedTexts } from '../../src/server/memory/code/accepted-texts';
import type { CodeIndex, CodeSymbol, LocatedSymbol, TouchKey } from '../../src/server/memory/code/touches';

/** A code graph that a test changes as an editor would. Its files are only here, not on the disk. */
export interface TestCode extends CodeIndex {
  /** Rewrites a file: its symbols and when it was modified. */
  write(filePath: string, modifiedAt: number, symbols: readonly TestSymbol[]): void;
  remove(filePath: string): void;
  /** How often files were looked at. */
  readonly reads: () => number;
}

export interface TestSymbol {
  readonly name: string;
  /** Two symbols with the same text have the same hash. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly type?: string;
}

interface TestFile {
  readonly modifiedAt: number;
  readonly symbols: readonly CodeSymbol[];
}

export function testCode(): TestCode {
  const files = new Map<string, TestFile>();
  let reads = 0;
  const all = (): CodeSymbol[] => [...files.values()].flatMap((file) => file.symbols);
  return {
    unavailable: undefined,
    write(filePath, modifiedAt, symbols) {
      files.set(filePath, {
        modifiedAt,
        symbols: symbols.map(({ name, text, from, to, type = 'function' }) => ({
          file_path: filePath,
          code_type: type,
          name,
          hash: `hash of ${text}`,
          start_line: from,
          end_line: to,
        })),
      });
    },
    remove: (filePath) => void files.delete(filePath),
    reads: () => reads,
    match: async (names) => {
      const found = new Map<string, CodeSymbol[]>();
      for (const name of names) {
        const symbols = all().filter((symbol) => [symbol.name, `${symbol.name}()`].includes(name));
        if (symbols.length > 0) found.set(name, symbols);
      }
      return found;
    },
    inFile: async (filePath) => files.get(filePath)?.symbols ?? [],
    locate: async (keys) => {
      reads++;
      return keys.map((key) => located(all(), key));
    },
    relativePath(filePath) {
      const path = filePath
        .replaceAll('\\', '/')
        .replace(/^\.\//, '')
        .replace(/^\/repo\//, '');
      if (path.startsWith('/') || path.startsWith('../')) {
        throw invalidInput('"file_path" lies outside the project', 'Give the path of a file inside it');
      }
      return path;
    },
    modifiedAt: async (filePath) => {
      reads++;
      return files.get(filePath)?.modifiedAt;
    },
    placedAt: async (filePath) => files.get(filePath)?.modifiedAt,
  };
}

function located(symbols: readonly CodeSymbol[], key: TouchKey): LocatedSymbol {
  const same = symbols.find((symbol) => symbol.file_path === key.file_path && symbol.name === key.name);
  const accepted = acceptedTexts(key);
  if (same) return { verdict: accepted.includes(same.hash) ? 'unchanged' : 'changed', symbol: same };
  const moved = symbols.find((symbol) => accepted.includes(symbol.hash));
  if (moved) return { verdict: 'moved', symbol: moved };
  return { verdict: accepted.includes('') ? 'unchanged' : 'gone' };
}
