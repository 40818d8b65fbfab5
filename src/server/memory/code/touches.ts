/** Links between memories and code, and what the memory needs of a code graph. */
import { timestamp } from '../../base/clock';
import type { Writer } from '../../db/sql';
import type { Memory, WritableMemory } from '../memory';
import { linkedSymbols } from './linked-symbols';
import type { FindRenamed } from './renamed-symbol';

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

/** Where a symbol is, or was. */
export type SymbolPlace = Omit<SymbolKey, 'hash'>;

/** Whether both are in one place, whatever their text. */
export function isSamePlace(a: SymbolPlace, b: SymbolPlace): boolean {
  return a.file_path === b.file_path && a.code_type === b.code_type && a.name === b.name;
}

/** What a link was made on: where its symbol is looked for first, and the texts that it accepts. */
export interface TouchKey extends SymbolKey {
  /** JSON array of hashes: the other texts that it accepts. An empty one accepts that the symbol is gone. */
  readonly confirmed?: string;
  /** When the link was made. */
  readonly linked_at?: string;
  /** The commit of HEAD then: a twin that stood elsewhere already is not where the symbol went. */
  readonly commit?: string | null;
  /**
   * JSON array: of each other link of the same memory to a symbol of this name, which is an overload, its hash and the other
   * texts that it accepts: `["a", ["b", "c"]]`.
   */
  readonly beside?: string;
}

/** A link as it is kept. */
export type Touch = Required<TouchKey>;

/** Of `mem_links AS t`. */
export const TOUCH_COLUMNS = `t.file_path, t.code_type, t.name, t.hash, t.linked_at, t."commit",
  (SELECT json_group_array(hash) FROM (SELECT x.hash FROM mem_link_texts AS x WHERE x.link = t.id LIMIT -1)) AS confirmed,
  (SELECT json_group_array(json_array(hash, json(texts))) FROM (
     SELECT o.hash, (SELECT json_group_array(hash) FROM (
       SELECT x.hash FROM mem_link_texts AS x WHERE x.link = o.id LIMIT -1)) AS texts
     FROM mem_links AS o WHERE o.node = t.node AND o.file_path = t.file_path
       AND o.code_type = t.code_type AND o.name = t.name AND o.hash <> t.hash ORDER BY o.hash LIMIT -1)) AS beside`;

/** The names of those by which a symbol is looked for; links that differ in nothing else are judged once. */
export const TOUCH_NAMES = 'file_path, code_type, name, hash, "commit", confirmed, beside';

export interface CodeSymbol extends SymbolKey {
  /** What older programs took for the hash of this text; only of what was read from a text. */
  readonly old_hash?: string | undefined;
  readonly start_line: number;
  readonly end_line: number;
}

/**
 * Worst last. They are judged by the symbol's text, not by the clock. `not judged`: its file is left out of the graph, so
 * nothing is known of what stands in it, or it takes too long to find out which symbol there had its name. `other version`: it would be changed or gone, but the link was made on a commit
 * that another branch has, and the present one has not.
 */
export const VERDICTS = ['unchanged', 'not judged', 'moved', 'other version', 'changed', 'gone'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What people are told: the memory may hold no longer. */
export type Doubtful = 'changed' | 'gone';
/** What lists say of code: `other version` is no doubt, but another branch has the code that the memory is about. */
export type Told = Doubtful | 'other version';

export function isDoubtful(verdict: Verdict): verdict is Doubtful {
  return verdict === 'changed' || verdict === 'gone';
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
  /** Of names that stand for no symbol, those that have the path of a source file. */
  unresolved?(names: readonly string[]): Promise<readonly Unresolved[]>;
  /** The commit of HEAD; null without Git. */
  commit?(): string | null;
  /**
   * Where files were at a commit of the history of HEAD, which stood at these paths at these commits, as Git follows them
   * from commit to commit; a path itself where that is not known.
   */
  pathsAt?(commit: string, asked: readonly (readonly [commit: string, path: string])[]): Promise<readonly string[]>;
  /** Whether the code graph has seen a file as it is. */
  isSeen?(filePath: string): Promise<boolean>;
  /** The symbols that are in these files, or were last, and were elsewhere when they were linked, as far as the graph knows. */
  cameTo?(paths: readonly string[]): Promise<readonly CameTo[]>;
  /** All symbols that are, or were last, elsewhere than they were linked, as far as the graph knows; no file is read for it. */
  moved?(): Promise<readonly CameTo[]>;
  /** The symbols of a file, in order of lines; of this text instead of the file's, where an editor has it unsaved. */
  inFile(filePath: string, text?: string): Promise<readonly CodeSymbol[]>;
  readonly renamedIn?: FindRenamed;
  /** Those of the file as it is, with the hashes of older programs, too. */
  withOldHashes?(filePath: string): Promise<readonly CodeSymbol[]>;
  /** Why nothing is known of what stands in a file; undefined where it is, or there is no such file. */
  leftOut?(filePath: string, text?: string): Promise<string | undefined>;
  /**
   * For each key where the symbol stands now, judged from the working file.
   * @param texts by path: what an editor has unsaved counts instead of the file
   */
  locate(keys: readonly TouchKey[], texts?: ReadonlyMap<string, string>): Promise<readonly LocatedSymbol[]>;
  /** Which of these symbols are in doubt, or of another version, as far as that is known in the time that lists have. */
  doubts?(keys: readonly DoubtedKey[], mostMs?: number): Promise<readonly (Told | undefined)[]>;
  /** The caller's path relative to the root with forward slashes. @throws SvcError invalid_input when outside */
  relativePath(filePath: string): string;
  /** When the working file was last modified; undefined when it is not there. */
  modifiedAt(filePath: string): Promise<number | undefined>;
  /** When it came to its place, as far as the disk knows: a file that is renamed keeps the time of its last change. */
  placedAt?(filePath: string): Promise<number | undefined>;
}

export interface DoubtedKey extends TouchKey {
  /** What was found of it before, and waits in review; null where nothing does. */
  readonly queued?: Doubtful | null;
}

/** A name with a path that means no symbol of the code graph. */
export interface Unresolved {
  readonly name: string;
  /** What comes nearest and does mean code, at most three. */
  readonly nearest: readonly string[];
}

/** A symbol that went from one place to another. */
export interface CameTo {
  readonly was: SymbolKey;
  readonly now: SymbolPlace;
}

export interface LocatedSymbol {
  readonly verdict: Verdict;
  /** Absent when the symbol is gone, or not judged. */
  readonly symbol?: CodeSymbol;
  /** Of an overloaded function: further overloads that the link is on, which it accepts or which were added. */
  readonly beside?: readonly CodeSymbol[];
  /** Of `changed`: the symbol is an overload that was added, and that no link of its memory accepts. */
  readonly added?: true;
  /** Of what is gone, also as a person has confirmed: where the last commit that had it has it, when that is known. */
  readonly stood?: SymbolPlace;
  /** Of `other version`: a branch or another reference that has the commit. */
  readonly ref?: string;
  /**
   * Its path leads out of the project: nothing is looked at there, and lists of code pass it over. An import
   * refuses such links; a store that somebody else made may hold them.
   */
  readonly outside?: true;
}

/** Where it is looked for: where it stands, else where it stood last, as far as that is known. */
export function placeIn({ symbol, stood }: LocatedSymbol, key: SymbolPlace): SymbolPlace {
  return symbol ?? stood ?? key;
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

/** Where the symbols of links stand now (docs/behaviour.md, "Verdicts"). */
export async function locateTouches(
  memory: Memory,
  touches: readonly Touch[],
  texts?: ReadonlyMap<string, string>,
): Promise<LocatedSymbol[]> {
  if (touches.length === 0) return [];
  const located = await memory.code.locate(touches, texts);
  return touches.map((_, i) => located[i] ?? { verdict: 'gone' });
}

/** Links of which this is the same are judged alike. */
export function linkIdentity({
  file_path,
  code_type,
  name,
  hash,
  confirmed,
  linked_at,
  commit,
  beside,
}: TouchKey): string {
  return JSON.stringify([file_path, code_type, name, hash, confirmed, linked_at, commit, beside]);
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
  /** Where `names` are not all. */
  readonly all?: readonly string[];
}

/** A symbol, and the commit of HEAD when it was looked at. */
export interface SymbolAtCommit extends CodeSymbol {
  readonly commit: string | null;
}

/** Names and the symbols that they stand for; those that stand for nothing may be missing. */
export type MatchedNames = ReadonlyMap<string, readonly SymbolAtCommit[]>;

/** Reads working files, so it belongs before a transaction, never into one. */
export async function matchNames(memory: Memory, names: readonly string[]): Promise<MatchedNames> {
  if (memory.code.unavailable || names.length === 0) return new Map();
  const matched = await memory.code.match(names);
  if (matched.size === 0) return new Map();
  const commit = memory.code.commit?.() ?? null;
  return new Map([...matched].map(([name, symbols]) => [name, symbols.map((symbol) => ({ ...symbol, commit }))]));
}

/**
 * The names with a path that mean no symbol; none where there is no code graph.
 * @param matched what `matchNames` found for them
 */
export async function findUnresolved(
  memory: Memory,
  names: readonly string[],
  matched: MatchedNames,
): Promise<readonly Unresolved[]> {
  const meaningless = names.filter((name) => !matched.has(name));
  return meaningless.length === 0 || memory.code.unavailable
    ? []
    : ((await memory.code.unresolved?.(meaningless)) ?? []);
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
    nodes.flatMap((node) => linkedSymbols(node, matched).map((symbol) => ({ ...symbol, node: node.seq }))),
  );
}

/** A link as an export carries it. */
export interface PlacedTouch extends SymbolKey {
  readonly commit?: string | null | undefined;
  /** Hashes of the other texts that it accepts. */
  readonly confirmed?: readonly string[] | undefined;
}

export interface NewTouch extends PlacedTouch {
  /** Row number of the memory. */
  readonly node: number;
  /** Now, where this is missing. */
  readonly linked_at?: string | undefined;
}

/** A memory that has a link to such a place keeps it as it is. @returns how many are new */
export async function writeTouches(memory: WritableMemory, touches: readonly NewTouch[]): Promise<number> {
  const written = await insertTouches(memory.sql, touches, timestamp(memory.clock()));
  const texts = acceptedBeside(touches);
  if (texts.length > 0) {
    await memory.sql.run(
      insertTexts('json_each($texts)', (i) => `new.value ->> ${i}`),
      { texts: JSON.stringify(texts) },
    );
  }
  return written;
}

export const NEW_TOUCH_COLUMNS = 'node, file_path, code_type, name, hash, linked_at, "commit"';

/** @param now when those were made that say nothing of it */
export async function insertTouches(
  sql: Writer,
  touches: readonly NewTouch[],
  now: string,
  table = 'mem_links',
): Promise<number> {
  if (touches.length === 0) return 0;
  const rows = touches.map(({ node, file_path, code_type, name, hash, linked_at, commit }) => [
    ...[node, file_path, code_type, name, hash, linked_at ?? null, commit ?? null],
  ]);
  return sql.run(
    `INSERT OR IGNORE INTO ${table} (${NEW_TOUCH_COLUMNS})
     SELECT new.value ->> 0, new.value ->> 1, new.value ->> 2, new.value ->> 3, new.value ->> 4,
            coalesce(new.value ->> 5, $now), new.value ->> 6
     FROM json_each($rows) AS new
     WHERE NOT EXISTS (SELECT 1 FROM ${table} AS t
                       WHERE t.node = new.value ->> 0 AND t.file_path = new.value ->> 1
                         AND t.code_type = new.value ->> 2 AND t.name = new.value ->> 3)`,
    { rows: JSON.stringify(rows), now },
  );
}

/** The other texts that links accept, each with its link: [node, path, type, name, hash, accepted hash]. */
export function acceptedBeside(touches: readonly NewTouch[]): (string | number)[][] {
  return touches.flatMap(({ node, file_path, code_type, name, hash, confirmed }) =>
    (confirmed ?? []).map((text) => [node, file_path, code_type, name, hash, text]),
  );
}

/** The statement that lets links which are there accept more texts. @param column the SQL for each of those columns */
export function insertTexts(rows: string, column: (i: number) => string): string {
  const [node, path, type, name, hash, text] = [0, 1, 2, 3, 4, 5].map(column);
  return `INSERT OR IGNORE INTO mem_link_texts (link, hash)
    SELECT t.id, ${text} FROM ${rows} AS new CROSS JOIN mem_links AS t
    ON t.node = ${node} AND t.file_path = ${path} AND t.code_type = ${type} AND t.name = ${name} AND t.hash = ${hash}`;
}
