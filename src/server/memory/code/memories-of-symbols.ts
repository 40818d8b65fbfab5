/** The newest memories on each of several symbols. */

import { marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { CodeMemory } from './memories-of-file';
import { isSamePlace, type SymbolPlace } from './touches';

const MOST_PER_SYMBOL = 3;

export interface SymbolMemory extends CodeMemory {
  /** Of the texts that the symbol had when the memory was linked to it or confirmed. */
  readonly hashes: readonly string[];
}

/** For each symbol the newest open memories that are linked to it; a twin with the same text is not meant. */
export async function memoriesOnSymbols(
  memory: Memory,
  symbols: readonly SymbolPlace[],
): Promise<readonly (readonly SymbolMemory[])[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<CodeMemory & { i: number; hashes: string; confirmed: string }>(
    `SELECT asked.value ->> 0 AS i, n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from, n.standing,
            json_group_array(t.hash) AS hashes, json_group_array(x.hash) FILTER (WHERE x.hash IS NOT NULL) AS confirmed
     FROM json_each($places) AS asked
     CROSS JOIN mem_links AS t
       ON t.file_path = asked.value ->> 1 AND t.code_type = asked.value ->> 2 AND t.name = asked.value ->> 3
     LEFT JOIN mem_link_texts AS x ON x.link = t.id
     CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
     GROUP BY 1, n.seq ORDER BY n.valid_from DESC, n.seq DESC`,
    { ns, places: JSON.stringify(await placesOf(memory, symbols)) },
  );
  const found = symbols.map((): SymbolMemory[] => []);
  for (const { i, hashes, confirmed, ...one } of rows) {
    const list = found[i];
    if (list && list.length < MOST_PER_SYMBOL) {
      // JSON arrays that the statement above built.
      const texts = [hashes, confirmed].flatMap((list) => JSON.parse(list) as string[]);
      list.push({ ...marked(memory, one), hashes: texts });
    }
  }
  return found;
}

/** Where links to the symbols may have been made: [which symbol, path, type, name]. */
async function placesOf({ code }: Memory, symbols: readonly SymbolPlace[]): Promise<(string | number)[][]> {
  const came = (await code.cameTo?.([...new Set(symbols.map(({ file_path }) => file_path))])) ?? [];
  return symbols.flatMap((symbol, i) =>
    [symbol, ...came.flatMap(({ was, now }) => (isSamePlace(now, symbol) ? [was] : []))].map((one) => [
      ...[i, one.file_path, one.code_type, one.name],
    ]),
  );
}
