/** Links between memories and code, and what the memory needs of a code graph. */
import { timestamp } from '../../base/clock';
import type { Writer } from '../../db/sql';
import type { Memory, WritableMemory } from '../memory';

/** A place of the code graph as agents see it. */
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

/** A place where a symbol was looked for: what a TOUCHES edge keeps. */
export interface TouchKey extends SymbolKey {
  /** Hash of the text that stood there last, where it is no longer that of `hash`. */
  readonly seen?: string | null;
  /** When the edge was made or confirmed: a twin that stood elsewhere already is not where the symbol went. */
  readonly linked_at?: string;
  /** JSON array of [hash, seen]: the other edges of the same memory to symbols of this name, which are overloads. */
  readonly beside?: string;
}

/** A TOUCHES edge as it is kept. */
export interface Touch extends TouchKey {
  readonly seen: string | null;
  readonly linked_at: string;
  readonly beside: string;
  /** 1: it was re-anchored, and nobody has confirmed that since. */
  readonly moved: number;
}

/** Of `mem_touches AS t`: `beside`. */
export const BESIDE = `(SELECT json_group_array(json_array(o.hash, o.seen)) FROM mem_touches AS o
   WHERE o.node = t.node AND o.file_path = t.file_path AND o.code_type = t.code_type AND o.name = t.name
     AND o.hash <> t.hash)`;

/** Of `mem_touches AS t`. */
export const TOUCH_COLUMNS = `t.file_path, t.code_type, t.name, t.hash, t.seen, t.linked_at,
  t.was_name IS NOT NULL AS moved, ${BESIDE} AS beside`;

export interface CodeSymbol extends SymbolKey {
  readonly start_line: number;
  readonly end_line: number;
}

/**
 * Worst last. They are judged by the symbol's text, not by the clock. `not judged`: its file is left out of the graph, so
 * nothing is known of what stands in it.
 */
export const VERDICTS = ['unchanged', 'not judged', 'moved', 'changed', 'gone'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What people are told: something became of the code. */
export type Doubtful = Exclude<Verdict, 'unchanged' | 'not judged'>;

export function isDoubtful(verdict: Verdict): verdict is Doubtful {
  return verdict !== 'unchanged' && verdict !== 'not judged';
}

/**
 * What the domain needs of a code graph. `project/` hands in the real one; a project without a graph has an empty
 * index, a store without a root (the home store) none.
 */
export interface CodeIndex {
  /** Why code tools cannot answer here, with what to do; undefined when they can. */
  readonly unavailable: { readonly problem: string; readonly remedy: string } | undefined;
  /** Whether there is a code graph at all; so it is where this is missing. */
  built?(): Promise<boolean>;
  /** For each name that stands for symbols (name, qualified name, path, `path#name`, `name()`): those symbols. */
  match(names: readonly string[]): Promise<ReadonlyMap<string, readonly CodeSymbol[]>>;
  /** The symbols of a file, in order of lines; of this text instead of the file's, where an editor has it unsaved. */
  inFile(filePath: string, text?: string): Promise<readonly CodeSymbol[]>;
  /** Why nothing is known of what stands in a file; undefined where it is, or there is no such file. */
  leftOut?(filePath: string, text?: string): Promise<string | undefined>;
  /**
   * For each key where the symbol stands now, judged from the working file.
   * @param texts by path: what an editor has unsaved counts instead of the file
   */
  locate(keys: readonly TouchKey[], texts?: ReadonlyMap<string, string>): Promise<readonly LocatedSymbol[]>;
  /** The caller's path relative to the root with forward slashes. @throws SvcError invalid_input when outside */
  relativePath(filePath: string): string;
  /** When the working file was last modified; undefined when it is not there. */
  modifiedAt(filePath: string): Promise<number | undefined>;
}

export interface LocatedSymbol {
  readonly verdict: Verdict;
  /** Absent when the symbol is gone, or not judged. */
  readonly symbol?: CodeSymbol;
  /**
   * Its path leads out of the project: nothing is looked at there, and lists of code pass it over. An import
   * refuses such links; a store that somebody else made may hold them.
   */
  readonly outside?: true;
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

/**
 * Where the symbols of edges stand now. One that was re-anchored counts as moved until a person has confirmed it
 * (docs/behaviour.md, "Verdicts"), even though its text stands where the edge says.
 */
export async function locateTouches(
  memory: Memory,
  touches: readonly Touch[],
  texts?: ReadonlyMap<string, string>,
): Promise<LocatedSymbol[]> {
  if (touches.length === 0) return [];
  const located = await memory.code.locate(touches, texts);
  return touches.map((touch, i) => {
    const now = located[i] ?? { verdict: 'gone' };
    return touch.moved === 1 && now.verdict === 'unchanged' ? { ...now, verdict: 'moved' } : now;
  });
}

/** The kept and the seen texts of an edge's overloads: what stands there as one of these is not its symbol. */
export function textsBeside({ beside }: Pick<TouchKey, 'beside'>): (readonly [hash: string, seen: string | null])[] {
  // The statement above built it.
  return beside === undefined ? [] : (JSON.parse(beside) as [string, string | null][]);
}

/** For comparing: the worse, the greater. */
export function severity(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict);
}

/** @returns `unchanged` of none */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS[Math.max(0, ...verdicts.map(severity))] ?? 'unchanged';
}

/** A memory row and the entity names it was stored with. */
export interface NamedEntities {
  readonly seq: number;
  readonly names: readonly string[];
}

/** Names and the symbols that they stand for; those that stand for nothing may be missing. */
export type MatchedNames = ReadonlyMap<string, readonly CodeSymbol[]>;

/** Reads working files, so it belongs before a transaction, never into one. */
export async function matchNames(memory: Memory, names: readonly string[]): Promise<MatchedNames> {
  if (memory.code.unavailable || names.length === 0) return new Map();
  return memory.code.match(names);
}

/** Whether there are symbols that names could stand for. */
export async function knowsSymbols({ code }: Memory): Promise<boolean> {
  return !code.unavailable && (await code.built?.()) !== false;
}

/**
 * Links memories to the symbols that their entity names stand for.
 * @param matched their names, as far as they were matched before the transaction: nothing is read in it
 * @returns how many links are new
 */
export function linkTouches(
  memory: WritableMemory,
  nodes: readonly NamedEntities[],
  matched: MatchedNames,
): Promise<number> {
  return writeTouches(
    memory,
    nodes.flatMap(({ seq, names }) =>
      names.flatMap((name) => (matched.get(name) ?? []).map((symbol) => ({ ...symbol, node: seq }))),
    ),
  );
}

/** An edge as an export carries it. */
export interface PlacedTouch extends SymbolKey {
  /** Where it was linked or confirmed, when it has been re-anchored since: an import does not settle that. */
  readonly was?: Omit<SymbolKey, 'hash'> | undefined;
}

export interface NewTouch extends PlacedTouch {
  /** Row number of the memory. */
  readonly node: number;
  /** Now, where this is missing. */
  readonly linked_at?: string | undefined;
}

/** A memory that has an edge to such a place keeps it as it is. @returns how many are new */
export function writeTouches(memory: WritableMemory, touches: readonly NewTouch[]): Promise<number> {
  return insertTouches(memory.sql, touches, timestamp(memory.clock()));
}

export const NEW_TOUCH_COLUMNS = 'node, file_path, code_type, name, hash, linked_at, was_path, was_type, was_name';

/** @param now when those were made that say nothing of it */
export async function insertTouches(
  sql: Writer,
  touches: readonly NewTouch[],
  now: string,
  table = 'mem_touches',
): Promise<number> {
  if (touches.length === 0) return 0;
  const rows = touches.map(({ node, file_path, code_type, name, hash, linked_at, was }) => [
    ...[node, file_path, code_type, name, hash, linked_at ?? null],
    ...[was?.file_path ?? null, was?.code_type ?? null, was?.name ?? null],
  ]);
  return sql.run(
    `INSERT OR IGNORE INTO ${table} (${NEW_TOUCH_COLUMNS})
     SELECT new.value ->> 0, new.value ->> 1, new.value ->> 2, new.value ->> 3, new.value ->> 4,
            coalesce(new.value ->> 5, $now), new.value ->> 6, new.value ->> 7, new.value ->> 8
     FROM json_each($rows) AS new
     WHERE NOT EXISTS (SELECT 1 FROM ${table} AS t
                       WHERE t.node = new.value ->> 0 AND t.file_path = new.value ->> 1
                         AND t.code_type = new.value ->> 2 AND t.name = new.value ->> 3)`,
    { rows: JSON.stringify(rows), now },
  );
}
