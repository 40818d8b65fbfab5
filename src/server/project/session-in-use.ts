/** The open session of this process. */
import { namespaceNumber } from '../memory/namespaces';
import { isUnnamed, topicOf } from '../memory/sessions/session-names';
import type { Project } from './open';

interface SessionInUse {
  readonly id: string;
  readonly name: string;
  /** False of one that a write has opened by itself. */
  readonly named: boolean;
}

/** The session that this process has open here, by the name that people see, if it still is open: another process may have closed or cleared it. */
export async function sessionInUse({ memory }: Project): Promise<SessionInUse | null> {
  const { namespace, session } = memory.scope;
  if (!session) return null;
  const row = await memory.sql.get<{ id: string; name: string; unnamed: number }>(
    `SELECT s.id, coalesce(${topicOf('s')}, s.content) AS name, ${isUnnamed('s')} AS unnamed FROM mem_nodes AS s
     WHERE s.id = $id AND +(s.seq >> 32) = $ns AND s.tombstoned = 0 AND s.valid_until IS NULL`,
    { id: session.id, ns: await namespaceNumber(memory.sql, namespace) },
  );
  return row ? { id: row.id, name: row.name, named: row.unnamed === 0 } : null;
}
