/** Puts links where their symbols are now. */
import { timestamp } from '../../base/clock';
import type { Memory, WritableMemory } from '../memory';
import { BESIDE, type LocatedSymbol, type SymbolKey, type TouchKey } from './touches';

/** Why an edge was put on another place. */
type AnchorReason = 'renamed' | 'moved' | 'moved and renamed';

/** An edge's symbol and where it stands now. */
export interface Located {
  readonly key: TouchKey;
  readonly now: LocatedSymbol;
}

/** The places that memories of any namespace are linked to, in these files or with one of these texts; all without. */
export function touchedPlaces(
  memory: Memory,
  among?: { readonly paths: ReadonlySet<string>; readonly hashes: ReadonlySet<string> },
): Promise<TouchKey[]> {
  const columns = `t.file_path, t.code_type, t.name, t.hash, t.seen, max(t.linked_at) AS linked_at,
    ${BESIDE} AS beside`;
  const each = 'GROUP BY 1, 2, 3, 4, 5, beside';
  if (!among) return memory.sql.all<TouchKey>(`SELECT ${columns} FROM mem_touches AS t ${each}`);
  return memory.sql.all<TouchKey>(
    `SELECT ${columns} FROM json_each($paths) AS a CROSS JOIN mem_touches AS t ON t.file_path = a.value ${each}
     UNION SELECT ${columns} FROM json_each($hashes) AS a CROSS JOIN mem_touches AS t ON t.hash = a.value ${each}
     UNION SELECT ${columns} FROM json_each($hashes) AS a CROSS JOIN mem_touches AS t ON t.seen = a.value ${each}`,
    { paths: JSON.stringify([...among.paths]), hashes: JSON.stringify([...among.hashes]) },
  );
}

/**
 * Puts the edges at these places, in all namespaces, where their symbols stand now, and records it. What each was linked
 * to or confirmed on stays known: it is moved until somebody confirms it, or it comes back there.
 * @returns how many edges were put on another place
 */
export async function reanchor(memory: WritableMemory, located: readonly Located[]): Promise<number> {
  const rows = located.flatMap(({ key, now: { symbol } }) => {
    const nothingNew = symbol && isSamePlace(symbol, key) && symbol.hash === (key.seen ?? key.hash);
    return symbol && !nothingNew ? [rowOf(key, symbol)] : [];
  });
  if (rows.length === 0) return 0;
  const moves = { moves: JSON.stringify(rows) };
  const edges = `json_each($moves) AS m CROSS JOIN mem_touches AS t
       ON t.file_path = m.value ->> 0 AND t.code_type = m.value ->> 1 AND t.name = m.value ->> 2
      AND t.hash = m.value ->> 3`;
  const recorded = await record(memory, edges, moves);
  const back = 't.was_path IS m.value ->> 4 AND t.was_type IS m.value ->> 5 AND t.was_name IS m.value ->> 6';
  const was = (column: string, old: number): string =>
    `CASE WHEN ${back} THEN NULL WHEN m.value ->> 8 IS NULL THEN t.${column}
          ELSE coalesce(t.${column}, m.value ->> ${old}) END AS ${column}`;
  await memory.sql.run(
    `UPDATE OR REPLACE mem_touches
     SET file_path = now.path, code_type = now.type, name = now.name, seen = nullif(now.hash, mem_touches.hash),
         was_path = now.was_path, was_type = now.was_type, was_name = now.was_name
     FROM (SELECT t.node, t.file_path, t.code_type, t.name AS old_name, t.hash AS old_hash,
                  m.value ->> 4 AS path, m.value ->> 5 AS type, m.value ->> 6 AS name, m.value ->> 7 AS hash,
                  ${was('was_path', 0)}, ${was('was_type', 1)}, ${was('was_name', 2)}
           FROM ${edges}) AS now
     WHERE mem_touches.node = now.node AND mem_touches.file_path = now.file_path
       AND mem_touches.code_type = now.code_type AND mem_touches.name = now.old_name AND mem_touches.hash = now.old_hash`,
    moves,
  );
  return recorded;
}

/** [old path, type, name, hash, new path, type, name, hash, why]; `why` is null where the place is the same. */
function rowOf(key: SymbolKey, symbol: SymbolKey): (string | null)[] {
  return [
    ...[key.file_path, key.code_type, key.name, key.hash],
    ...[symbol.file_path, symbol.code_type, symbol.name, symbol.hash],
    isSamePlace(key, symbol) ? null : reason(key, symbol),
  ];
}

function isSamePlace(a: SymbolKey, b: SymbolKey): boolean {
  return a.file_path === b.file_path && a.code_type === b.code_type && a.name === b.name;
}

function reason(from: SymbolKey, to: SymbolKey): AnchorReason {
  if (from.file_path === to.file_path) return 'renamed';
  return from.name === to.name ? 'moved' : 'moved and renamed';
}

function record(memory: WritableMemory, edges: string, moves: Readonly<Record<string, string | number>>) {
  return memory.sql.run(
    `INSERT INTO mem_anchors
       (node, at, why, old_path, old_type, old_name, old_hash, new_path, new_type, new_name, new_hash)
     SELECT t.node, $now, m.value ->> 8, t.file_path, t.code_type, t.name, t.hash,
            m.value ->> 4, m.value ->> 5, m.value ->> 6, m.value ->> 7
     FROM ${edges} WHERE m.value ->> 8 IS NOT NULL`,
    { ...moves, now: timestamp(memory.clock()) },
  );
}
