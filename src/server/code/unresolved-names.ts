/** Says of names with a path that mean no symbol what they may have been meant to be. */
import type { Store } from '../db/store';
import { pathsInGraph } from '../graph/find-symbols';
import { languageOf } from '../graph/language-of';
import type { CodeSymbol, Unresolved } from '../memory/code/touches';
import { nearest } from '../memory/nearest';
import { lastOf } from './find-moved';
import { asPath, readName } from './read-name';
import { FILE_TYPE, type ReadWorkingFiles } from './working-files';

/** So many names are compared with what there is; of an import's others it is only told that they mean nothing. */
const MOST_COMPARED = 50;
/** `src/a.ts:42`, `src/a.ts:42:7`, `src/a.ts::open`: what other programs put behind a path. */
const BEHIND_PATH = /^(?<path>[^:]+\.\w{1,10}):{1,2}(?<rest>[^/\\]+)$/;
/** A pattern and an address have the form of a path, and are none. */
const NO_PATH = /\*|:\/\//;

/** A name with the path of a source file. */
interface Named {
  readonly name: string;
  readonly file: string;
  /** What is named in the file; undefined for the file itself. */
  readonly symbol: string | undefined;
}

/**
 * @param names those that mean no symbol
 * @returns those of them that have the path of a source file, each once, with at most three names that do mean something:
 *   symbols of that file, or the file itself, else files with a like path. What is in a file that is left out of the
 *   graph is not known, so that it is not told of either.
 */
export async function unresolvedNames(
  sql: Store,
  read: ReadWorkingFiles,
  names: readonly string[],
): Promise<Unresolved[]> {
  const named = [...new Set(names)].flatMap((name) => withPath(name) ?? []);
  if (named.length === 0) return [];
  const files = await read(
    sql,
    named.map(({ file }) => file),
  );
  const unresolved: Unresolved[] = [];
  let nearestFiles: ((file: string) => string[]) | undefined;
  for (const { name, file, symbol } of named) {
    const there = files.get(file);
    if (there?.left_out !== undefined || there?.outside === true) continue;
    const compares = unresolved.length < MOST_COMPARED;
    if (there && there.symbols.length > 0) {
      unresolved.push({ name, nearest: compares ? nearestIn(there.symbols, file, symbol) : [] });
      continue;
    }
    if (compares) nearestFiles ??= amongFiles(await pathsInGraph(sql));
    unresolved.push({ name, nearest: (compares && nearestFiles?.(file)) || [] });
  }
  return unresolved;
}

function withPath(name: string): Named | undefined {
  if (NO_PATH.test(name)) return undefined;
  const { path, symbol } = readName(name);
  if (path !== undefined) return ofSource(name, path, symbol);
  const { path: before, rest } = BEHIND_PATH.exec(name.trim())?.groups ?? {};
  const file = asPath(before ?? name);
  // `Node.js` is no file.
  if (file === undefined || !/[\\/]/.test(name)) return undefined;
  return ofSource(name, file, rest !== undefined && /\D/.test(rest.replaceAll(':', '')) ? rest : undefined);
}

function ofSource(name: string, file: string, symbol: string | undefined): Named | undefined {
  return languageOf(file) ? { name, file, symbol } : undefined;
}

/** The last part alone is compared where no more was asked for: what stands around a method makes it no less near. */
function nearestIn(symbols: readonly CodeSymbol[], file: string, symbol: string | undefined): string[] {
  if (symbol === undefined) return [file];
  const compared = (name: string): string => (symbol.includes('.') ? name : lastOf(name));
  const names = [...new Set(symbols.filter(({ code_type }) => code_type !== FILE_TYPE).map(({ name }) => name))];
  const like = nearest(symbol, new Set(names.map(compared)));
  const found = like.flatMap((one) => names.filter((name) => compared(name) === one));
  return found.length === 0 ? [file] : found.slice(0, MOST_NEAREST).map((name) => `${file}#${name}`);
}

const MOST_NEAREST = 3;

/** First by the name of the file, without its ending, which many share: of those called so, the likest paths. */
function amongFiles(paths: readonly string[]): (file: string) => string[] {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = stemOf(path);
    const same = byName.get(name);
    if (same) same.push(path);
    else byName.set(name, [path]);
  }
  return (file) => {
    const name = stemOf(file);
    const like = byName.has(name) ? [name] : nearest(name, byName.keys());
    return nearest(
      file,
      like.flatMap((one) => byName.get(one) ?? []),
    );
  };
}

/** `src/a.test.ts`: `a.test` */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.slice(0, name.lastIndexOf('.')) || name;
}
