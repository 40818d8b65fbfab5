/** Answers a question about the code, for `query_codebase`. */
import { unavailable } from '../base/errors';
import { quoted } from '../base/text';
import type { Reader } from '../db/sql';
import type { Store } from '../db/store';
import { type StoredSymbol, symbolsById } from '../graph/find-symbols';
import { languageOf } from '../graph/language-of';
import { leftOutFiles } from '../graph/left-out';
import { type Neighbour, neighbours } from '../graph/neighbours';
import { type SymbolQuery, searchSymbols } from '../graph/search-symbols';
import type { CodeMemory } from '../memory/code/memories-of-file';
import { memoriesOnSymbols } from '../memory/code/memories-of-symbols';
import type { CodeLocation } from '../memory/code/touches';
import { parseQuery } from '../memory/recall/query';
import { type BoundSection, boundSections } from './bound-sections';
import type { CodeHandle } from './handle';

/** A symbol that answers a question about the code, as it stands now. */
export interface AnsweringSymbol extends Pick<CodeLocation, 'file_path' | 'start_line' | 'end_line' | 'code_type'> {
  readonly name: string;
  readonly signature: string;
  readonly doc: string;
  /** By distance: first what calls it, then what calls that. */
  readonly callers: readonly (readonly Neighbour[])[];
  readonly callees: readonly (readonly Neighbour[])[];
  readonly bases: readonly Neighbour[];
  readonly heirs: readonly Neighbour[];
  /** `changed`: since the memory was linked to the symbol or confirmed. */
  readonly memories: readonly (CodeMemory & { readonly changed: boolean })[];
  /** Sections of documents that speak of it. */
  readonly sections: readonly BoundSection[];
}

export interface CodeAnswer {
  readonly symbols: readonly AnsweringSymbol[];
  /** Files that the question names and that are not in the graph. */
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
}

/** Hardly any budget holds more. */
const MOST_SYMBOLS = 12;
const MOST_NEIGHBOURS = 8;
const MOST_SECTIONS = 3;
const MOST_LEFT_OUT = 3;
/** A question is shorter; a pasted file would make the search slow and no better. */
const MOST_TERMS = 64;
const MOST_PATH_TEXT = 1_000;

/** @throws SvcError unavailable without a graph */
export async function requireGraph(project: CodeHandle): Promise<{ sql: Store; root: string }> {
  const root = project.graph?.root;
  const sql = await project.graph?.current();
  const problem = project.graph?.problem();
  if (problem) throw problem;
  if (root === undefined || !sql) {
    throw unavailable(
      root === undefined ? 'There is no project here' : `No code graph has been built for ${quoted(root)}`,
      'Run "svc build" in the folder of the project, then ask again',
    );
  }
  return { sql, root };
}

/** The symbols that answer a question in words or an identifier, best first. */
export async function queryCode(project: CodeHandle, query: string, hops: number): Promise<CodeAnswer> {
  const { sql, root } = await requireGraph(project);
  const { memory } = project;
  const { content, function: functionWords } = parseQuery(query, memory.clock());
  const terms = (content.length > 0 ? content : functionWords).flatMap(({ word, stem }) => [word, stem]);
  const paths = pathsIn(query);
  const place = placeIn(query);
  const identifier = place?.name ?? identifierIn(query, paths);
  const found = await searchSymbols(
    sql,
    { identifier, place, paths, terms: [...new Set(terms)].slice(0, MOST_TERMS) },
    MOST_SYMBOLS,
  );
  const keys = found.map((one) => ({ ...one, name: one.qualified }));
  const located = await memory.code.locate(keys);
  const memories = await memoriesOnSymbols(memory, keys);
  const sections = await boundSections(project, keys);
  const around = await levels(sql, root, found, hops);
  const symbols = found.flatMap((one, i): AnsweringSymbol[] => {
    const now = located[i]?.symbol;
    if (!now) return [];
    const { file_path, code_type, name, start_line, end_line } = now;
    return [
      {
        ...{ file_path, code_type, name, start_line, end_line },
        signature: one.signature,
        doc: one.doc,
        callers: around.get(one.id)?.callers ?? [],
        callees: around.get(one.id)?.callees ?? [],
        bases: around.get(one.id)?.bases ?? [],
        heirs: around.get(one.id)?.heirs ?? [],
        memories: (memories[i] ?? []).map(({ hashes, ...one }) => ({ ...one, changed: !hashes.includes(now.hash) })),
        sections: (sections[i] ?? []).slice(0, MOST_SECTIONS),
      },
    ];
  });
  return { symbols, left_out: await leftOutAmong(sql, query) };
}

/** A file may be named by the end of its path. */
async function leftOutAmong(sql: Reader, query: string): Promise<CodeAnswer['left_out']> {
  const named = pathsIn(query.replace(/#\S*/g, ''));
  if (named.length === 0) return [];
  const isNamed = (path: string): boolean => named.some((one) => path === one || path.endsWith(`/${one}`));
  const files = (await leftOutFiles(sql)).filter(({ path }) => isNamed(path));
  return files.slice(0, MOST_LEFT_OUT).map(({ path, reason }) => ({ path, reason }));
}

/** Words that may name a file: `a/util.ts`, `util.ts:12`. */
function pathsIn(query: string): string[] {
  const words = query.slice(0, MOST_PATH_TEXT).split(/[\s"'`,()]+/);
  const plain = words.map((word) => word.replace(/(?::\d+)+$/, '').replace(/^\.?\//, ''));
  return plain.filter((word) => /[\w-]\/[\w-]/.test(word) || (word.includes('.') && languageOf(word) !== undefined));
}

/** A word that is `path#name`. */
function placeIn(query: string): SymbolQuery['place'] {
  const words = query.slice(0, MOST_PATH_TEXT).split(/[\s"'`,]+/);
  const [, path, name] = words.map((word) => /^(?:\.\/)?([^#]+)#([^#]+?)(?:\(\))?$/.exec(word)).find(Boolean) ?? [];
  return path === undefined || name === undefined ? undefined : { path, name: name.replaceAll('::', '.') };
}

/** A name beside paths is meant in them. */
function identifierIn(query: string, paths: readonly string[]): string {
  const words = query.trim().split(/\s+/);
  const others = words.length > 1 ? words.filter((word) => !paths.some((path) => word.includes(path))) : words;
  return others.join(' ').replace(/\(\)$/, '').replaceAll('::', '.');
}

interface Levels {
  readonly callers: (readonly Neighbour[])[];
  readonly callees: (readonly Neighbour[])[];
  bases: readonly Neighbour[];
  heirs: readonly Neighbour[];
}

/** Follows callers and callees for this many hops. Ambiguous ones are listed but not followed. */
async function levels(
  sql: Store,
  root: string,
  symbols: readonly StoredSymbol[],
  hops: number,
): Promise<ReadonlyMap<number, Levels>> {
  const found = new Map<number, Levels>(
    symbols.map((one) => [one.id, { callers: [], callees: [], bases: [], heirs: [] }]),
  );
  if (hops === 0 || symbols.length === 0) return found;
  let known = await neighbours(sql, root, symbols);
  for (const [id, levels] of found) {
    levels.callers.push((known.get(id)?.callers ?? []).slice(0, MOST_NEIGHBOURS));
    levels.callees.push((known.get(id)?.callees ?? []).slice(0, MOST_NEIGHBOURS));
    levels.bases = (known.get(id)?.bases ?? []).slice(0, MOST_NEIGHBOURS);
    levels.heirs = (known.get(id)?.heirs ?? []).slice(0, MOST_NEIGHBOURS);
  }
  for (let hop = 2; hop <= hops; hop++) {
    const ends = [...found.values()].flatMap(({ callers, callees }) => [
      ...(callers.at(-1) ?? []),
      ...(callees.at(-1) ?? []),
    ]);
    known = await neighbours(sql, root, await symbolsById(sql, followed(ends)));
    for (const [id, { callers, callees }] of found) {
      callers.push(next(id, callers, (end) => known.get(end)?.callers ?? []));
      callees.push(next(id, callees, (end) => known.get(end)?.callees ?? []));
    }
  }
  return found;
}

function followed(ends: readonly Neighbour[]): number[] {
  return [...new Set(ends.flatMap(({ id, ambiguous }) => (id === undefined || ambiguous ? [] : [id])))];
}

function next(
  start: number,
  before: readonly (readonly Neighbour[])[],
  from: (id: number) => readonly Neighbour[],
): Neighbour[] {
  const seen = new Set<number | undefined>([start, ...before.flat().map((one) => one.id)]);
  const reached = new Map<string, Neighbour>();
  for (const id of followed(before.at(-1) ?? [])) {
    for (const one of from(id)) if (!seen.has(one.id)) reached.set(`${one.file_path} ${one.name}`, one);
  }
  return [...reached.values()].slice(0, MOST_NEIGHBOURS);
}
