import type { CodeMemory } from './code-memories';
import type { Memory } from './memory';
import { namespaceNumber } from './namespaces';
import type { SymbolKey } from './touches';

const MOST_PER_SYMBOL = 3;

/** For each symbol the newest open memories that are linked to it; a twin with the same text is not meant. */
export async function memoriesOnSymbols(
  memory: Memory,
  symbols: readonly Omit<SymbolKey, 'hash'>[],
): Promise<readonly (readonly CodeMemory[])[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<CodeMemory & { i: number }>(
    `SELECT DISTINCT asked.key AS i, n.id, n.kind, n.content, n.confidence, n.valid_from
     FROM json_each($symbols) AS asked
     CROSS JOIN mem_touches AS t
       ON t.file_path = asked.value ->> 0 AND t.code_type = asked.value ->> 1 AND t.name = asked.value ->> 2
     CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
     ORDER BY n.valid_from DESC, n.seq DESC`,
    { ns, symbols: JSON.stringify(symbols.map((one) => [one.file_path, one.code_type, one.name])) },
  );
  const found = symbols.map((): CodeMemory[] => []);
  for (const { i, ...one } of rows) {
    const list = found[i];
    if (list && list.length < MOST_PER_SYMBOL) list.push(one);
  }
  return found;
}
