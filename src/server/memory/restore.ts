import { conflict } from '../base/errors';
import { operationOf, recorded } from './history';
import type { WritableMemory } from './memory';
import { namespaceNumber } from './namespaces';
import { findNode, unknownNode } from './nodes';

export interface Restored {
  readonly node_id: string;
  /** null when it is open again; else it was closed before it was forgotten, and is closed still. */
  readonly valid_until: string | null;
  readonly operation: number;
}

/**
 * Brings back a node that was forgotten.
 * @throws SvcError not_found, or conflict for one that is not forgotten
 */
export async function restore(memory: WritableMemory, nodeId: string): Promise<Restored> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const node = await findNode(memory.sql, ns, nodeId);
  if (!node) throw unknownNode(nodeId, 'node_id');
  if (node.tombstoned === 0) {
    throw conflict(
      `${nodeId} is not forgotten${node.valid_until === null ? '' : `, but was closed at ${node.valid_until}`}`,
      'Only forgotten memories can be restored; "undo" takes back a refutation or a supersession',
    );
  }
  await recorded(memory, ns, 'restore', [{ seq: node.seq }], () =>
    memory.sql.run('UPDATE mem_nodes SET tombstoned = 0 WHERE seq = $seq AND +(seq >> 32) = $ns', {
      ...{ seq: node.seq, ns },
    }),
  );
  return { node_id: nodeId, valid_until: node.valid_until, operation: await operationOf(memory, ns) };
}
