/** Which proposals an operation made memories of. */
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';

/** Their ids, of the active namespace, in the order of their rows. */
export async function keptBy(memory: Memory, operation: number): Promise<string[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<{ id: string }>(
    `SELECT n.id FROM mem_history AS h CROSS JOIN mem_nodes AS n ON n.seq = h.node
     WHERE h.operation = $operation AND +(n.seq >> 32) = $ns AND h.before ->> 3 = 'proposed' AND h.after ->> 3 <> 'proposed'
     ORDER BY n.seq`,
    { operation, ns },
  );
  return rows.map(({ id }) => id);
}
