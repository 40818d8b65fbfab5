/** What the store has of a shared memory beside its file: what was restored while that was away would hold again. */
import { forget } from '../memory/forget';
import type { Memory, WritableMemory } from '../memory/memory';
import { namespaceNumber } from '../memory/namespaces';
import { findNode } from '../memory/nodes';
import { verify } from '../memory/verify';

/** Whether the store has it as well, open or closed. */
export async function isBesideFile(memory: Memory, id: string): Promise<boolean> {
  return (await rowOf(memory, id))?.tombstoned === 0;
}

/**
 * Does in the store, where it has it as well, what was done in its file.
 * @throws SvcError as `requireOwnWord`
 */
export async function endBesideFile(memory: WritableMemory, id: string, action: 'refute' | 'forget'): Promise<void> {
  const row = await rowOf(memory, id);
  if (row?.tombstoned !== 0) return;
  if (action === 'forget') await forget(memory, { node_id: id, entity: undefined, before: undefined }, false);
  else if (row.valid_until === null) await verify(memory, id, 'refute', []);
}

async function rowOf({ sql, scope }: Memory, id: string) {
  return findNode(sql, await namespaceNumber(sql, scope.namespace), id);
}
