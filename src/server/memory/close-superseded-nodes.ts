import type { WritableMemory } from './memory';

export interface SupersededNode {
  readonly seq: number;
  /** `valid_from` of the node that supersedes it. */
  readonly validFrom: string;
}

/** Closes those that are open: `valid_until` is the later of the old node's and the new node's `valid_from` (decisions.md). */
export async function closeSupersededNodes(
  memory: WritableMemory,
  ns: number,
  nodes: readonly SupersededNode[],
): Promise<void> {
  if (nodes.length === 0) return;
  // The plus keeps SQLite from walking an index of the whole namespace instead of the list.
  await memory.sql.run(
    `UPDATE mem_nodes SET valid_until = max(valid_from, node.value ->> 1)
     FROM json_each($nodes) AS node
     WHERE seq = node.value ->> 0 AND +(seq >> 32) = $ns AND valid_until IS NULL`,
    { ns, nodes: JSON.stringify(nodes.map(({ seq, validFrom }) => [seq, validFrom])) },
  );
}
