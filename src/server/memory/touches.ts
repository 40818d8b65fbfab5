import type { WritableMemory } from './memory';

/** A place of the code graph as agents see it (service.md, "Code location"). */
export interface CodeLocation {
  readonly graph_node_id: string;
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly code_type: string;
}

/** What a symbol is: enough to find it again when its lines move. */
export interface SymbolKey {
  /** Relative to the root, with forward slashes. */
  readonly file_path: string;
  readonly code_type: string;
  /** Qualified: `Class.method`. */
  readonly name: string;
  /** Over the symbol's tokens; equal while only its place, its own name or its formatting changes. */
  readonly hash: string;
}

export interface CodeSymbol extends SymbolKey {
  readonly start_line: number;
  readonly end_line: number;
}

/** Worst last. `unchanged` is judged by the symbol's text, not by the clock. */
export const VERDICTS = ['unchanged', 'moved', 'changed', 'gone'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What the domain needs of a code graph. `project/` hands in the real one; a project without a graph has an empty
 * index, a store without a root (the home store) none.
 */
export interface CodeIndex {
  /** Why code tools cannot answer here, with what to do; undefined when they can. */
  readonly unavailable: { readonly problem: string; readonly remedy: string } | undefined;
  /** For each name that stands for symbols (name, qualified name, path, `path#name`, `name()`): those symbols. */
  match(names: readonly string[]): Promise<ReadonlyMap<string, readonly CodeSymbol[]>>;
  /** The symbols of a file, in order of lines. */
  inFile(filePath: string): Promise<readonly CodeSymbol[]>;
  /** For each key where the symbol stands now, judged from the working file. */
  locate(keys: readonly SymbolKey[]): Promise<readonly LocatedSymbol[]>;
  /** The caller's path relative to the root with forward slashes. @throws SvcError invalid_input when outside */
  relativePath(filePath: string): string;
  /** When the working file was last modified; undefined when it is not there. */
  modifiedAt(filePath: string): Promise<number | undefined>;
}

export interface LocatedSymbol {
  readonly verdict: Verdict;
  /** Absent when the symbol is gone. */
  readonly symbol?: CodeSymbol;
}

export function locationOf(symbol: CodeSymbol): CodeLocation {
  return {
    graph_node_id: `${symbol.code_type}:${symbol.file_path}:${symbol.name}:${symbol.start_line}`,
    file_path: symbol.file_path,
    start_line: symbol.start_line,
    end_line: symbol.end_line,
    code_type: symbol.code_type,
  };
}

/** A memory row and the entity names it was stored with. */
export interface NamedEntities {
  readonly seq: number;
  readonly names: readonly string[];
}

/** Links memories to the symbols that their entity names stand for. */
export async function linkTouches(memory: WritableMemory, nodes: readonly NamedEntities[]): Promise<void> {
  if (memory.code.unavailable) return;
  const names = [...new Set(nodes.flatMap((node) => node.names))];
  if (names.length === 0) return;
  const symbols = await memory.code.match(names);
  if (symbols.size === 0) return;
  const rows = nodes.flatMap(({ seq, names: own }) =>
    own.flatMap((name) =>
      (symbols.get(name) ?? []).map((symbol) => [seq, symbol.file_path, symbol.code_type, symbol.name, symbol.hash]),
    ),
  );
  await writeTouches(memory, rows);
}

/** Rows of [seq, file_path, code_type, name, hash]; those already there are kept as they are. */
export async function writeTouches(
  memory: WritableMemory,
  rows: readonly (readonly (string | number)[])[],
): Promise<void> {
  await memory.sql.run(
    `INSERT OR IGNORE INTO mem_touches (node, file_path, code_type, name, hash)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each($rows)`,
    { rows: JSON.stringify(rows) },
  );
}
