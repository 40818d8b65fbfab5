/** Closes what is superseded. */
import { CHANGED_AGAIN, NODE_STATE, operationOf } from './history/operations';
import type { WritableMemory } from './memory';

export interface SupersededNode {
  readonly seq: number;
  /** Row number of the node that supersedes it. */
  readonly by: number;
  /** `valid_from` of the node that supersedes it. */
  readonly validFrom: string;
}

/** Closes those that are open: docs/behaviour.md, "Superseding". */
export async function closeSupersededNodes(
  memory: WritableMemory,
  ns: number,
  nodes: readonly SupersededNode[],
): Promise<void> {
  if (nodes.length === 0) return;
  // Of several in one call that supersede the same node, the first one closes it.
  const once = new Map([...nodes].reverse().map(({ seq, validFrom, by }) => [seq, [seq, validFrom, by]]));
  const list = { ns, nodes: JSON.stringify([...once.values()]) };
  // A merged entity gave its names away, which no undo could bring back: that is not kept as one.
  // The plus keeps SQLite from walking an index of the whole namespace instead of the list.
  const open = `FROM json_each($nodes) AS node
     CROSS JOIN mem_nodes AS n ON n.seq = node.value ->> 0
     CROSS JOIN mem_nodes AS newer ON newer.seq = node.value ->> 2
     WHERE +(n.seq >> 32) = $ns AND n.valid_until IS NULL AND n.kind <> 'entity'`;
  const isAny =
    memory.call.operations.has(ns) || (await memory.sql.get(`SELECT 1 ${open} LIMIT 1`, list)) !== undefined;
  const note = (operation: number) => ({
    sql: `INSERT INTO mem_history (operation, node, action, before, after, side)
       SELECT $operation, n.seq, 'supersede', ${NODE_STATE},
              json_array(n.confidence, max(n.valid_from, node.value ->> 1), n.tombstoned, n.standing),
              json_object('superseded_by', newer.id)
       ${open} ${CHANGED_AGAIN}`,
    parameters: { ...list, operation },
  });
  const close = {
    sql: `UPDATE mem_nodes SET valid_until = max(valid_from, node.value ->> 1)
     FROM json_each($nodes) AS node
     WHERE seq = node.value ->> 0 AND +(seq >> 32) = $ns AND valid_until IS NULL`,
    parameters: list,
  };
  await memory.sql.batch(isAny ? [note(await operationOf(memory, ns)), close] : [close]);
}
