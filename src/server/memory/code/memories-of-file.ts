/** The memories on a file, and the code of a memory. */

import type { NodeKind } from '../../../kinds/kinds';
import { unavailable } from '../../base/errors';
import { leadsOut } from '../../base/project-path';
import { type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { MAX_NEAREST, nearest } from '../nearest';
import { findNode, unknownNode } from '../nodes';
import type { Standing } from '../origins';
import { linksAround } from './links-around';
import { linksMoved, MOVED_TO, movedJson, movedSymbols } from './moved-links';
import { type PlaceOfLink, placesOf, symbolsOf } from './places-of-link';
import {
  type CodeLocation,
  type CodeSymbol,
  type LocatedSymbol,
  locateTouches,
  locationOf,
  TOUCH_COLUMNS,
  type Touch,
  type Verdict,
  worstVerdict,
} from './touches';
import { weakLinksToFile, weakSymbolsOf } from './weak-links';

/** An open memory on a symbol. */
export interface CodeMemory extends Marked {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
  readonly standing: Standing;
}

export interface JudgedMemory extends CodeMemory {
  /** What has become of the symbol's text since the memory was linked to it or confirmed. */
  readonly verdict: Verdict;
  /** An everyday word has led it here, which may mean something else. */
  readonly weak?: true;
  /** It was linked to this text long after it became true, as an import does, and nobody has confirmed it since. */
  readonly unseen?: true;
}

export interface SymbolMemories {
  /** As the symbol is called now; as it was called, when it is gone. */
  readonly code_type: string;
  readonly name: string;
  /** Where it stands now; absent when it is gone, or not judged. */
  readonly symbol: CodeSymbol | undefined;
  /** Its file is left out of the code graph: nothing is known of what stands in it. */
  readonly not_judged: boolean;
  readonly memories: readonly JudgedMemory[];
}

export interface FileMemories {
  /** Relative to the root. */
  readonly file_path: string;
  readonly line: number | undefined;
  readonly symbols: readonly SymbolMemories[];
  /** When this one has no memories, files that have: those that its code went to, else those whose path is like it. */
  readonly nearest: readonly string[];
  /** There is no code graph, so no memory is linked to code. */
  readonly unbuilt: boolean;
  /** There is no such file. */
  readonly missing?: true;
}

/** Those of a CodeMemory. */
const COLUMNS = 'n.id, n.kind, n.content, n.confidence, n.valid_from, n.standing';

/** @throws SvcError unavailable where code has no root or no index */
export function requireCode(memory: Memory): void {
  const reason = memory.code.unavailable;
  if (reason) throw unavailable(reason.problem, reason.remedy);
}

/**
 * The open memories on a file's symbols, or on those that contain the line.
 * @throws SvcError unavailable without a root, invalid_input for a path outside it
 */
export async function memoriesForCode(memory: Memory, given: string, givenLine?: number): Promise<FileMemories> {
  requireCode(memory);
  const { file, line } = await placeMeant(memory, given, givenLine);
  const { file_path, symbols } = await memoriesInFile(memory, file, line);
  const isThere = (await memory.code.modifiedAt(file_path)) !== undefined;
  const found = { file_path, line, symbols, ...(isThere ? {} : { missing: true as const }) };
  if (symbols.length > 0) return { ...found, nearest: [], unbuilt: false };
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const went = await whereItWent(memory, ns, file_path);
  // On other lines of the file there may be some.
  const other = line === undefined ? file_path : undefined;
  const nearest = went.length > 0 ? went : await nearestFiles(memory, ns, file_path, other);
  return { ...found, nearest, unbuilt: (await memory.code.built?.()) === false };
}

/** `src/store.ts:10:5`, as compilers print it. */
const WITH_LINE = /^(.+?):([1-9]\d{0,6})(?::\d{1,7})?:?$/s;
/** `src/store.ts#Store.get`, as every answer names a symbol. */
const WITH_SYMBOL = /^(.+?)#[^#]+$/s;

/** A path with a line or a symbol, unless a file is really called so. */
export async function placeMeant(
  { code }: Memory,
  file: string,
  line: number | undefined,
): Promise<{ readonly file: string; readonly line: number | undefined }> {
  const isFile = async (path: string): Promise<boolean> =>
    (await code.modifiedAt(code.relativePath(path))) !== undefined;
  const [, path, shown] = WITH_LINE.exec(file) ?? [];
  const [, holder] = WITH_SYMBOL.exec(file) ?? [];
  if (line !== undefined || (path ?? holder) === undefined || (await isFile(file))) return { file, line };
  if (path !== undefined) return { file: path, line: Number(shown) };
  const [symbol] = (await code.match([file])).get(file) ?? [];
  if (symbol) return { file: symbol.file_path, line: symbol.start_line };
  return { file: holder !== undefined && (await isFile(holder)) ? holder : file, line };
}

/**
 * The same without a word on where else to look.
 * @param text what an editor has unsaved, instead of the file
 * @throws SvcError as memoriesForCode
 */
export async function memoriesInFile(
  memory: Memory,
  file: string,
  line?: number,
  text?: string,
): Promise<Pick<FileMemories, 'file_path' | 'symbols'>> {
  requireCode(memory);
  const path = memory.code.relativePath(file);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const here = await memory.code.inFile(path, text);
  const rows = await linkedIn(memory, ns, path, here, text);
  const groups = new Map<string, Group>();
  const groupOf = ({ code_type, name, symbol, verdict }: Omit<PlaceOfLink, 'file_path'>): Group => {
    const id = JSON.stringify([code_type, name, symbol?.start_line]);
    const not_judged = verdict === 'not judged';
    const group = groups.get(id) ?? { code_type, name, symbol, not_judged, memories: new Map() };
    groups.set(id, group);
    return group;
  };
  const isAsked = (symbol: CodeSymbol | undefined): boolean =>
    line === undefined || (symbol !== undefined && symbol.start_line <= line && line <= symbol.end_line);
  for (const { place, node, unseen } of rows) {
    if (!isAsked(place.symbol)) continue;
    const { memories } = groupOf(place);
    const before = memories.get(node.id);
    const verdict = worstVerdict([place.verdict, ...(before ? [before.verdict] : [])]);
    memories.set(node.id, { ...marked(memory, node), verdict, ...(unseen ? { unseen } : {}) });
  }
  for (const { symbol, node } of await weakLinksToFile<CodeMemory>(memory, ns, COLUMNS, path, here.filter(isAsked))) {
    const { code_type, name } = symbol;
    const { memories } = groupOf({ code_type, name, symbol, verdict: 'unchanged' });
    if (!memories.has(node.id)) memories.set(node.id, { ...marked(memory, node), verdict: 'unchanged', weak: true });
  }
  const symbols = [...groups.values()]
    .map((group) => ({ ...group, memories: [...group.memories.values()] }))
    .sort(
      (a, b) => (a.symbol?.start_line ?? Number.MAX_SAFE_INTEGER) - (b.symbol?.start_line ?? Number.MAX_SAFE_INTEGER),
    );
  return { file_path: path, symbols };
}

type Group = Omit<SymbolMemories, 'memories'> & { memories: Map<string, JudgedMemory> };

/**
 * The open memories that are linked to symbols of the file, or to some that were in it and are gone; the newest first. Each
 * link is judged by itself: of two on one text, a person may have confirmed one.
 */
async function linkedIn(
  memory: Memory,
  ns: number,
  path: string,
  here: readonly CodeSymbol[],
  text: string | undefined,
): Promise<(Pick<JudgedMemory, 'unseen'> & { readonly place: PlaceOfLink; readonly node: CodeMemory })[]> {
  // By text, too: symbols that came here from another file, or with a file that was renamed.
  const { links, parameters } = await linksAround(memory, path, here);
  const rows = await memory.sql.all<CodeMemory & Touch>(
    `SELECT ${COLUMNS}, ${TOUCH_COLUMNS}
     FROM (${links}) AS around CROSS JOIN mem_links AS t ON t.id = around.id CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
     ORDER BY n.valid_from DESC, n.seq DESC`,
    { ...parameters, ns },
  );
  const located = await locateTouches(memory, rows, text === undefined ? undefined : new Map([[path, text]]));
  return rows.flatMap(({ id, kind, content, confidence, valid_from, standing, ...key }, i) => {
    const now: LocatedSymbol = located[i] ?? { verdict: 'gone' };
    const places = now.outside ? [] : placesOf(now, key).filter(({ file_path }) => file_path === path);
    const node = { id, kind, content, confidence, valid_from, standing };
    return places.map((place) => ({ place, node, ...(isUnseen(node, key) ? { unseen: true as const } : {}) }));
  });
}

/** More than between what is decided and the end of the work on it. */
const LONG_MS = 24 * 60 * 60 * 1000;

function isUnseen({ valid_from, standing }: CodeMemory, { linked_at, confirmed }: Touch): boolean {
  return standing !== 'confirmed' && confirmed === '[]' && Date.parse(linked_at) - Date.parse(valid_from) > LONG_MS;
}

/** Files that code with memories has gone to from this one, which may have another name now. */
async function whereItWent(memory: Memory, ns: number, path: string): Promise<string[]> {
  const moved = (await movedSymbols(memory)).filter(
    ({ was, now }) => was.file_path === path && now.file_path !== path && !leadsOut(now.file_path),
  );
  if (moved.length === 0) return [];
  const rows = await memory.sql.all<{ path: string }>(
    // Under a DISTINCT the views would be read whole.
    `SELECT DISTINCT path FROM (
       SELECT went.path FROM (${linksMoved('$moved', `t.node, ${MOVED_TO} AS path`)}) AS went
       CROSS JOIN mem_nodes AS n ON n.seq = went.node
       WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL AND n.standing <> 'proposed' LIMIT -1)
     ORDER BY path LIMIT ${MAX_NEAREST}`,
    { ns, moved: movedJson(moved) },
  );
  return rows.map((row) => row.path);
}

/** Comparing letters takes 5 µs a path: of more files than this only those that lie beside it or are called alike. */
const MOST_COMPARED = 500;

/** @param other than this one */
async function nearestFiles(memory: Memory, ns: number, path: string, other: string | undefined): Promise<string[]> {
  // One row: SQLite goes through the index from path to path.
  const all = await memory.sql.get<{ paths: string }>(
    'SELECT json_group_array(file_path) AS paths FROM (SELECT DISTINCT file_path FROM mem_links)',
  );
  const [folder, stem] = [path.slice(0, path.lastIndexOf('/') + 1), stemOf(path)];
  const known = (JSON.parse(all?.paths ?? '[]') as string[]).filter((one) => !leadsOut(one));
  const alike =
    known.length <= MOST_COMPARED
      ? known
      : known
          .filter((one) => one.lastIndexOf('/') + 1 === folder.length && one.startsWith(folder))
          .concat(known.filter((one) => stemOf(one) === stem));
  const rows = await memory.sql.all<{ file_path: string }>(
    `SELECT asked.value AS file_path FROM json_each($paths) AS asked
     WHERE asked.value <> $other AND EXISTS (
       SELECT 1 FROM mem_links AS t CROSS JOIN mem_nodes AS n ON n.seq = t.node
       WHERE t.file_path = asked.value AND +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
         AND n.standing <> 'proposed')`,
    { ns, other: other ?? '', paths: JSON.stringify([...new Set(alike)].slice(0, MOST_COMPARED)) },
  );
  return nearest(
    path,
    rows.map((row) => row.file_path),
  );
}

/** `src/a/store.test.ts` → `store` */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.split('.', 1)[0] ?? name;
}

/**
 * Where the symbols that a memory touches stand now, those of weak links last; those that are gone are left out.
 * @throws SvcError not_found for an unknown id
 */
export async function codeForMemory(memory: Memory, memoryId: string): Promise<(CodeLocation & { weak?: true })[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const node = await findNode(memory.sql, ns, memoryId);
  if (!node) throw unknownNode(memoryId, 'memory_id');
  const keys = await memory.sql.all<Touch>(
    `SELECT ${TOUCH_COLUMNS} FROM mem_links AS t WHERE t.node = $seq ORDER BY t.file_path, t.name, t.hash`,
    { seq: node.seq },
  );
  if (keys.length > 0) requireCode(memory);
  const located = await locateTouches(memory, keys);
  const places = [
    ...located.flatMap(symbolsOf).map(locationOf),
    ...(await weakSymbolsOf(memory, node.seq)).map((symbol) => ({ ...locationOf(symbol), weak: true as const })),
  ];
  // Where one of several of a name is left, it stands for all of them.
  return places.filter((one, i) => places.findIndex(({ graph_node_id }) => graph_node_id === one.graph_node_id) === i);
}
