/** The open session of this process. */
import { namespaceNumber } from '../memory/namespaces';
import { findNode } from '../memory/nodes';
import type { Project } from './open';

/** The session that this process has open here, if it still is open: another process may have closed or cleared it. */
export async function sessionInUse({ memory }: Project): Promise<{ id: string; name: string } | null> {
  const { namespace, session } = memory.scope;
  if (!session) return null;
  const node = await findNode(memory.sql, await namespaceNumber(memory.sql, namespace), session.id);
  return node && node.tombstoned === 0 && node.valid_until === null ? { id: node.id, name: node.content } : null;
}
