import { posix } from 'node:path';
import type { StoreFile } from '../db/store-file';
import { filesWithHash, type StoredSymbol, symbolsNamed, symbolsWithHash } from '../graph/find-symbols';
import type { CodeIndex, CodeSymbol, LocatedSymbol, SymbolKey } from '../memory/touches';
import type { CodeGraph } from './code-graph';
import { emptyCodeIndex } from './empty-code-index';
import { FILE_TYPE, type SymbolsNow, workingFiles } from './working-files';

/** A bare name with more definitions than this means none of them (decisions.md). */
const MOST_DEFINITIONS = 8;

/**
 * The code index of a project over its graph. The graph tells where to look; what is said of a symbol is judged from
 * the working file. Without a graph it is the empty index.
 */
export function codeIndex(graph: CodeGraph, assets: string): CodeIndex {
  const empty = emptyCodeIndex(graph.root);
  const symbolsNow = workingFiles(graph.root, assets);
  return {
    ...empty,
    async match(names) {
      const sql = await graph.current();
      return sql ? match(sql, symbolsNow, names) : new Map();
    },
    async inFile(filePath) {
      const sql = await graph.current();
      return sql ? symbolsNow(sql, filePath) : [];
    },
    async locate(keys) {
      const sql = await graph.current();
      return sql ? locate(sql, symbolsNow, keys) : empty.locate(keys);
    },
  };
}

/** How an entity's name may stand for code. */
interface Asked {
  readonly name: string;
  /** Without `()`, separators as we write them. */
  readonly symbol: string;
  readonly path: string | undefined;
}

async function match(
  sql: StoreFile,
  symbolsNow: SymbolsNow,
  names: readonly string[],
): Promise<Map<string, readonly CodeSymbol[]>> {
  const asked = names.map(readName);
  const stored = new Map<string, StoredSymbol[]>();
  const wanted = asked.filter(({ path }) => path === undefined).map(({ symbol }) => symbol);
  for (const one of await symbolsNamed(sql, [...new Set(wanted)])) {
    for (const name of new Set([one.name, one.qualified])) stored.set(name, [...(stored.get(name) ?? []), one]);
  }
  const found = new Map<string, readonly CodeSymbol[]>();
  for (const { name, symbol, path } of asked) {
    const symbols: CodeSymbol[] = [];
    const byName = stored.get(symbol) ?? [];
    // A qualified name that several files define means each of them; a common bare name means nothing.
    const bare = byName.some((one) => one.name === symbol && one.qualified !== symbol) || !symbol.includes('.');
    if (path === undefined && !(bare && byName.length > MOST_DEFINITIONS)) {
      for (const file of new Set(byName.map((one) => one.file_path))) {
        const now = await symbolsNow(sql, file);
        symbols.push(...now.filter((one) => one.code_type !== FILE_TYPE && isNamed(one, symbol)));
      }
    }
    const file = path ?? asPath(symbol);
    if (file !== undefined) {
      const now = await symbolsNow(sql, file);
      symbols.push(...now.filter((one) => (path === undefined ? one.code_type === FILE_TYPE : isNamed(one, symbol))));
    }
    if (symbols.length > 0) found.set(name, symbols);
  }
  return found;
}

/** `path#name`, `name()`, `Class::method`, `./path` */
function readName(name: string): Asked {
  const hash = name.indexOf('#');
  const path = hash > 0 && hash < name.length - 1 ? asPath(name.slice(0, hash)) : undefined;
  const rest = path === undefined ? name : name.slice(hash + 1);
  const symbol = rest.trim().replace(/\(\)$/, '');
  return { name, path, symbol: /[\\/]/.test(symbol) ? symbol : symbol.replaceAll('::', '.') };
}

/** Relative to the root; undefined for what is no path inside it. */
function asPath(text: string): string | undefined {
  if (!/[./]/.test(text) || text.length > 1_000) return undefined;
  const path = posix.normalize(text.trim().replaceAll('\\', '/'));
  return path.startsWith('../') || path.startsWith('/') || path === '..' || path === '.' ? undefined : path;
}

function isNamed(symbol: CodeSymbol, name: string): boolean {
  return symbol.name === name || (!name.includes('.') && symbol.name.endsWith(`.${name}`));
}

async function locate(
  sql: StoreFile,
  symbolsNow: SymbolsNow,
  keys: readonly SymbolKey[],
): Promise<readonly LocatedSymbol[]> {
  const files = new Map<string, readonly CodeSymbol[]>();
  const now = async (path: string): Promise<readonly CodeSymbol[]> => {
    const symbols = files.get(path) ?? (await symbolsNow(sql, path));
    files.set(path, symbols);
    return symbols;
  };
  const located: LocatedSymbol[] = [];
  const lost: { key: SymbolKey; at: number }[] = [];
  for (const key of keys) {
    const here = inItsFile(await now(key.file_path), key);
    if (!here) lost.push({ key, at: located.length });
    located.push(here ?? { verdict: 'gone' });
  }
  const elsewhere = await filesToLookIn(sql, lost);
  for (const { key, at } of lost) {
    const candidates: CodeSymbol[] = [];
    for (const path of elsewhere.get(key.hash) ?? []) {
      if (path !== key.file_path) candidates.push(...(await now(path)).filter((one) => isSameText(one, key)));
    }
    const symbol = onlyOne(candidates, key);
    if (symbol) located[at] = { verdict: 'moved', symbol };
  }
  return located;
}

function inItsFile(symbols: readonly CodeSymbol[], key: SymbolKey): LocatedSymbol | undefined {
  const named = symbols.filter((one) => one.name === key.name && one.code_type === key.code_type);
  const same = named.find((one) => one.hash === key.hash);
  if (same) return { verdict: 'unchanged', symbol: same };
  const [changed] = named;
  if (changed) return { verdict: 'changed', symbol: changed };
  const renamed = onlyOne(
    symbols.filter((one) => isSameText(one, key)),
    key,
  );
  return renamed && { verdict: 'moved', symbol: renamed };
}

function isSameText(one: CodeSymbol, key: SymbolKey): boolean {
  return one.hash === key.hash && one.code_type === key.code_type;
}

/** The one that is meant: by its name, else because there is no other. Several without a name tell nothing. */
function onlyOne(candidates: readonly CodeSymbol[], key: SymbolKey): CodeSymbol | undefined {
  const named = candidates.filter((one) => one.name === key.name);
  const [first, second] = named.length > 0 ? named : candidates;
  return second === undefined ? first : undefined;
}

/** By hash, the files in which the last build found this text. */
async function filesToLookIn(
  sql: StoreFile,
  lost: readonly { key: SymbolKey }[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const files = new Map<string, Set<string>>();
  if (lost.length === 0) return files;
  const note = (hash: string, path: string): void => void files.set(hash, (files.get(hash) ?? new Set()).add(path));
  const hashes = [...new Set(lost.map(({ key }) => key.hash))];
  for (const { hash, file_path } of await symbolsWithHash(sql, hashes)) note(hash, file_path);
  for (const { text_hash, path } of await filesWithHash(sql, hashes)) note(text_hash, path);
  return files;
}
