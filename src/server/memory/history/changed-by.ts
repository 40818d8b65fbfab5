/** Which memories an operation changed. */
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';

/** The ids of the nodes of the active namespace that an operation changed, in the order of their rows. */
export async function changedBy(memory: Memory, operation: number): Promise<string[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<{ id: string }>(
    `SELECT DISTINCT n.id FROM mem_history AS h CROSS JOIN mem_nodes AS n ON n.seq = h.node
     WHERE h.operation = $operation AND +(n.seq >> 32) = $ns ORDER BY n.seq`,
    { operation, ns },
  );
  return rows.map(({ id }) => id);
}
