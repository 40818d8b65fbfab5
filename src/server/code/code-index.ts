/** Finds symbols for memories, in the code graph and the working files. */
import type { Reader } from '../db/sql';
import { headCommit } from '../git/head-commit';
import type { Extract } from '../graph/extract';
import { type StoredSymbol, symbolsNamed } from '../graph/find-symbols';
import { isValueKind } from '../graph/parsed';
import { placesAt } from '../graph/places';
import { textInside } from '../graph/read-source';
import { keptTexts } from '../graph/texts';
import type { CodeIndex, CodeSymbol } from '../memory/code/touches';
import { emptyCodeIndex } from './empty-code-index';
import { lastOf } from './find-moved';
import type { CodeGraph } from './handle';
import { locateSymbols } from './locate-symbols';
import { type DoubtOptions, doubtLookup } from './look-up-doubts';
import { movedPlaces } from './moved-places';
import type { PastOfProject } from './past-symbols';
import { asPath, readName } from './read-name';
import { findRenamed } from './renamed-symbols';
import { unresolvedNames } from './unresolved-names';
import { NOTHING_SEEN, unseenFiles } from './unseen-files';
import { valuesIn } from './values-in-files';
import { FILE_TYPE, type ReadWorkingFiles, type WorkingFile, workingFiles } from './working-files';

/** A bare name with more definitions than this means none of them (docs/behaviour.md, "Names that mean code"). */
const MOST_DEFINITIONS = 8;

/**
 * The code index of a project over its graph. The graph says where to look for a symbol; the working file decides what
 * is said of it. So it is before the first build, too, such as in a new work tree; only bare names mean nothing then.
 */
export function codeIndex(
  graph: CodeGraph,
  extract: Extract,
  past: Pick<PastOfProject, 'open'>,
  doubts?: DoubtOptions,
): CodeIndex {
  const empty = emptyCodeIndex(graph.root);
  const read = workingFiles(graph.root, extract);
  const unseen = unseenFiles(graph.root);
  const renamedIn = findRenamed(extract);
  const sources = {
    ...{ read, unseen, past: past.open, renamedIn },
    textOf: (path: string) => textInside(graph.root, path),
    copies: keptTexts,
  };
  const commit = (): string | null => headCommit(graph.root);
  const seen = async (): Promise<Reader> => (await graph.current()) ?? NOTHING_SEEN;
  const readOne = async (path: string, text: string | undefined): Promise<WorkingFile | undefined> =>
    (await read(await seen(), [path], text === undefined ? undefined : new Map([[path, text]]))).get(path);
  const locate: CodeIndex['locate'] = async (keys, texts) => locateSymbols(await seen(), sources, keys, texts);
  return {
    ...empty,
    locate,
    doubts: doubtLookup({ locate, commit, modifiedAt: empty.modifiedAt }, doubts),
    commit,
    async pathsAt(at, asked) {
      // One start of Git for many: all commits are opened together.
      const opened = await past.open([...new Set([at, ...asked.map(([one]) => one)])]);
      return Promise.all(asked.map(([one, path]) => opened?.follow(one, path, at) ?? path));
    },
    built: async () => (await graph.current()) !== undefined,
    isSeen: async (filePath) => (await readOne(filePath, undefined))?.current === true,
    cameTo: async (paths) => placesAt(await seen(), paths),
    moved: async () => movedPlaces(await seen(), empty.modifiedAt),
    match: async (names) => match(await seen(), read, names),
    async unresolved(names) {
      const sql = await graph.current();
      return sql ? unresolvedNames(sql, read, names) : [];
    },
    inFile: async (filePath, text) => (await readOne(filePath, text))?.symbols ?? [],
    renamedIn,
    async withOldHashes(filePath) {
      const text = textInside(graph.root, filePath);
      if (text === undefined) return [];
      const only = new Set([filePath]);
      return (await read(await seen(), only, new Map([[filePath, text]]), only)).get(filePath)?.symbols ?? [];
    },
    leftOut: async (filePath, text) => (await readOne(filePath, text))?.left_out,
  };
}

async function match(
  sql: Reader,
  read: ReadWorkingFiles,
  names: readonly string[],
): Promise<Map<string, readonly CodeSymbol[]>> {
  const asked = names.map(readName);
  const stored = new Map<string, StoredSymbol[]>();
  const wanted = asked.filter(({ path }) => path === undefined).map(({ symbol }) => symbol);
  for (const one of await symbolsNamed(sql, [...new Set(wanted)])) {
    for (const name of new Set([one.name, one.qualified])) stored.set(name, [...(stored.get(name) ?? []), one]);
  }
  const meant = asked.map(({ name, symbol, path, isValue }) => {
    const ofName = path === undefined ? (stored.get(symbol) ?? []) : [];
    const functions = ofName.filter(({ code_type }) => !isValueKind(code_type));
    // A value in another file does not take its name away from a function.
    const byName = functions.length > 0 ? functions : ofName;
    // A qualified name that several files define means each of them; a common bare name means nothing.
    const bare = !symbol.includes('.');
    const defining = bare && byName.length > MOST_DEFINITIONS ? [] : byName.map((one) => one.file_path);
    // Files may be called `c#.md`, too.
    const whole = isValue ? undefined : asPath(name);
    return { name, symbol, path, isValue, defining: new Set(defining), file: path ?? asPath(symbol), whole };
  });
  const files = await read(
    sql,
    meant.flatMap(({ defining, file, whole }) => [...defining, ...[file, whole].filter((one) => one !== undefined)]),
  );
  const found = new Map<string, readonly CodeSymbol[]>();
  const isFile = ({ code_type }: CodeSymbol): boolean => code_type === FILE_TYPE;
  const values = valuesIn(files);
  for (const { name, symbol, path, isValue, defining, file, whole } of meant) {
    if (isValue) {
      const named = file === undefined ? [] : values(file, symbol);
      if (named.length > 0) found.set(name, named);
      continue;
    }
    const symbols: CodeSymbol[] = [...defining].flatMap((one) =>
      (files.get(one)?.symbols ?? []).filter(({ code_type }) => code_type !== FILE_TYPE).filter(isNamed(symbol)),
    );
    if (file !== undefined) {
      const now = files.get(file)?.symbols ?? [];
      symbols.push(...(path === undefined ? now.filter(isFile) : inFile(now, symbol)));
    }
    if (symbols.length === 0 && whole !== undefined) symbols.push(...(files.get(whole)?.symbols ?? []).filter(isFile));
    if (symbols.length > 0) found.set(name, symbols);
  }
  return found;
}

/**
 * What has exactly this qualified name; else what a value of that name holds; else the only name that ends with it, else
 * the only one with its last part.
 */
function inFile(symbols: readonly CodeSymbol[], qualified: string): readonly CodeSymbol[] {
  const inside = symbols.filter(({ code_type }) => code_type !== FILE_TYPE);
  const exact = inside.filter(({ name }) => name === qualified);
  if (exact.length > 0) return exact;
  const held = heldBy(inside, qualified);
  if (held.length > 0) return held;
  for (const end of [qualified, lastOf(qualified)]) {
    const ending = inside.filter(({ name }) => `.${name}`.endsWith(`.${end}`));
    // Overloads share a name.
    if (new Set(ending.map(({ name }) => name)).size === 1) return ending;
  }
  return [];
}

/** `api.get` is what is called `get` in `const api = { get() {} }`, which gives no name to it. */
function heldBy(symbols: readonly CodeSymbol[], qualified: string): readonly CodeSymbol[] {
  const last = lastOf(qualified);
  const holders = symbols.filter(({ code_type, name }) => isValueKind(code_type) && `${name}.${last}` === qualified);
  return symbols.filter(
    ({ name, start_line, end_line }) =>
      name === last && holders.some((one) => one.start_line <= start_line && end_line <= one.end_line),
  );
}

function isNamed(name: string): (symbol: CodeSymbol) => boolean {
  return (symbol) => symbol.name === name || (!name.includes('.') && symbol.name.endsWith(`.${name}`));
}
