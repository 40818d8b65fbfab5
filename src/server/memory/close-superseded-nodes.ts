/** Closes what is superseded. */
import { recorded } from './history/operations';
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
  const list = { ns, nodes: JSON.stringify(nodes.map(({ seq, validFrom, by }) => [seq, validFrom, by])) };
  // A merged entity gave its names away, which no undo could bring back: that is not kept as one.
  // The plus keeps SQLite from walking an index of the whole namespace instead of the list.
  const open = await memory.sql.all<{ seq: number; superseded_by: string }>(
    `SELECT n.seq, newer.id AS superseded_by FROM json_each($nodes) AS node
     CROSS JOIN mem_nodes AS n ON n.seq = node.value ->> 0
     CROSS JOIN mem_nodes AS newer ON newer.seq = node.value ->> 2
     WHERE +(n.seq >> 32) = $ns AND n.valid_until IS NULL AND n.kind <> 'entity'`,
    list,
  );
  const changes = open.map(({ seq, superseded_by }) => ({ seq, side: { superseded_by } }));
  await recorded(memory, ns, 'supersede', changes, () =>
    memory.sql.run(
      `UPDATE mem_nodes SET valid_until = max(valid_from, node.value ->> 1)
       FROM json_each($nodes) AS node
       WHERE seq = node.value ->> 0 AND +(seq >> 32) = $ns AND valid_until IS NULL`,
      list,
    ),
  );
}
