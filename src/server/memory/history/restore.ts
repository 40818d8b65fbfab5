/** Brings back a forgotten node. */
import { conflict } from '../../base/errors';
import { shownId, shownTime } from '../../base/shown';
import { requireOwnProposals } from '../foreign-turn';
import type { WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { findNode, unknownNode } from '../nodes';
import { operationOf, recorded } from './operations';
import { isSharedOut } from './undone-share';

export interface Restored {
  readonly node_id: string;
  /** null when it is open again; else it was closed before it was forgotten, and is closed still. */
  readonly valid_until: string | null;
  readonly operation: number;
  /** Said of one that was shared: its file is not there. */
  readonly unshared?: string;
}

const IN_STORE_ALONE =
  'It is back in this store alone, with the text of the store. Its file was not found here, so it is not shared any more';

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
      `${shownId(nodeId)} is not forgotten${node.valid_until === null ? '' : `, but was closed at ${shownTime(node.valid_until)}`}`,
      'Only forgotten memories can be restored. Use "undo" to take back a refutation or a supersession',
    );
  }
  await requireOwnProposals(memory, [node]);
  const wasShared = await isSharedOut(memory.sql, node.seq);
  await recorded(memory, ns, 'restore', [{ seq: node.seq }], () =>
    memory.sql.run('UPDATE mem_nodes SET tombstoned = 0 WHERE seq = $seq AND +(seq >> 32) = $ns', {
      ...{ seq: node.seq, ns },
    }),
  );
  return {
    ...{ node_id: nodeId, valid_until: node.valid_until, operation: await operationOf(memory, ns) },
    ...(wasShared ? { unshared: IN_STORE_ALONE } : {}),
  };
}
