import { unavailable } from '../base/errors';
import type { NodeKind } from './kinds';
import type { Memory } from './memory';
import { namespaceNumber } from './namespaces';
import { nearest } from './nearest';
import { findNode, unknownNode } from './nodes';
import { type CodeLocation, type CodeSymbol, locationOf, type SymbolKey } from './touches';

/** An open memory on a symbol. */
export interface CodeMemory {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
}

export interface SymbolMemories {
  /** As the symbol is called now; as it was called, when it is gone. */
  readonly code_type: string;
  readonly name: string;
  /** Where it stands now; absent when it is gone. */
  readonly symbol: CodeSymbol | undefined;
  readonly memories: readonly CodeMemory[];
}

export interface FileMemories {
  /** Relative to the root. */
  readonly file_path: string;
  readonly line: number | undefined;
  readonly symbols: readonly SymbolMemories[];
  /** Files with memories whose path is like the one asked for, when this one has none. */
  readonly nearest: readonly string[];
}

/** @throws SvcError unavailable where code has no root or no index */
export function requireCode(memory: Memory): void {
  const reason = memory.code.unavailable;
  if (reason) throw unavailable(reason.problem, reason.remedy);
}

/**
 * The open memories on a file's symbols, or on those that contain the line.
 * @throws SvcError unavailable without a root, invalid_input for a path outside it
 */
export async function memoriesForCode(memory: Memory, file: string, line: number | undefined): Promise<FileMemories> {
  requireCode(memory);
  const path = memory.code.relativePath(file);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  // By text, too: symbols that came here from another file, or with a file that was renamed.
  const here = await memory.code.inFile(path);
  const rows = await memory.sql.all<CodeMemory & SymbolKey>(
    `SELECT t.file_path, t.code_type, t.name, t.hash, n.id, n.kind, n.content, n.confidence, n.valid_from
     FROM mem_touches AS t JOIN mem_nodes AS n ON n.seq = t.node
     WHERE (t.file_path = $path OR t.hash IN (SELECT value FROM json_each($hashes)))
       AND +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
     ORDER BY n.valid_from DESC, n.seq DESC`,
    { path, hashes: JSON.stringify(here.map((symbol) => symbol.hash)), ns },
  );
  const located = rows.length === 0 ? [] : await memory.code.locate(rows);
  const groups = new Map<string, { key: SymbolKey; symbol: CodeSymbol | undefined; memories: CodeMemory[] }>();
  for (const [i, row] of rows.entries()) {
    const symbol = located[i]?.symbol;
    if ((symbol ?? row).file_path !== path) continue;
    if (line !== undefined && !(symbol && symbol.start_line <= line && line <= symbol.end_line)) continue;
    const key = symbol ?? row;
    const id = `${key.code_type} ${key.name} ${symbol?.start_line}`;
    const group = groups.get(id) ?? { key, symbol, memories: [] };
    if (!group.memories.some((known) => known.id === row.id)) group.memories.push(row);
    groups.set(id, group);
  }
  const symbols = [...groups.values()]
    .map(({ key, symbol, memories }) => ({ code_type: key.code_type, name: key.name, symbol, memories }))
    .sort(
      (a, b) => (a.symbol?.start_line ?? Number.MAX_SAFE_INTEGER) - (b.symbol?.start_line ?? Number.MAX_SAFE_INTEGER),
    );
  return { file_path: path, line, symbols, nearest: symbols.length > 0 ? [] : await nearestFiles(memory, ns, path) };
}

async function nearestFiles(memory: Memory, ns: number, path: string): Promise<string[]> {
  const rows = await memory.sql.all<{ file_path: string }>(
    `SELECT DISTINCT t.file_path FROM mem_touches AS t JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL AND t.file_path <> $path`,
    { ns, path },
  );
  return nearest(
    path,
    rows.map((row) => row.file_path),
  );
}

/**
 * Where the symbols that a memory touches stand now; those that are gone are left out.
 * @throws SvcError not_found for an unknown id
 */
export async function codeForMemory(memory: Memory, memoryId: string): Promise<CodeLocation[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const node = await findNode(memory.sql, ns, memoryId);
  if (!node) throw unknownNode(memoryId, 'memory_id');
  const keys = await memory.sql.all<SymbolKey>(
    'SELECT file_path, code_type, name, hash FROM mem_touches WHERE node = $seq ORDER BY file_path, name',
    { seq: node.seq },
  );
  if (keys.length === 0) return [];
  requireCode(memory);
  const located = await memory.code.locate(keys);
  return located.flatMap(({ symbol }) => (symbol ? [locationOf(symbol)] : []));
}
