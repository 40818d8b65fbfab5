/** The newest memories on each of several symbols. */

import { marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { CodeMemory } from './memories-of-file';
import type { SymbolKey } from './touches';

const MOST_PER_SYMBOL = 3;

export interface SymbolMemory extends CodeMemory {
  /** Of the texts that the symbol had when the memory was linked to it or confirmed. */
  readonly hashes: readonly string[];
}

/** For each symbol the newest open memories that are linked to it; a twin with the same text is not meant. */
export async function memoriesOnSymbols(
  memory: Memory,
  symbols: readonly Omit<SymbolKey, 'hash'>[],
): Promise<readonly (readonly SymbolMemory[])[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<CodeMemory & { i: number; hashes: string }>(
    `SELECT asked.key AS i, n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from,
            json_group_array(t.hash) AS hashes
     FROM json_each($symbols) AS asked
     CROSS JOIN mem_touches AS t
       ON t.file_path = asked.value ->> 0 AND t.code_type = asked.value ->> 1 AND t.name = asked.value ->> 2
     CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
     GROUP BY asked.key, n.seq ORDER BY n.valid_from DESC, n.seq DESC`,
    { ns, symbols: JSON.stringify(symbols.map((one) => [one.file_path, one.code_type, one.name])) },
  );
  const found = symbols.map((): SymbolMemory[] => []);
  for (const { i, hashes, ...one } of rows) {
    const list = found[i];
    if (list && list.length < MOST_PER_SYMBOL) {
      // A JSON array that the statement above built.
      list.push({ ...marked(memory, one), hashes: JSON.parse(hashes) as string[] });
    }
  }
  return found;
}
