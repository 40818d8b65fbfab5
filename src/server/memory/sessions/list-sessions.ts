/** The sessions of a namespace, as agents see them. */
import { type Marked, markedName } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { Standing } from '../origins';

/** A session as memory_list_sessions shows it. */
export interface ListedSession extends Marked {
  readonly id: string;
  readonly content: string;
  readonly recorded_at: string;
  /** Nodes stored in it; the session itself is not counted. */
  readonly node_count: number;
  /** null while open. */
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
}

/**
 * How many nodes the session `n` has, as SQL. What joins shared memories is not counted through an index by itself.
 * @param condition on the node `m`
 */
export function storedIn(condition = 'TRUE'): string {
  return `(SELECT count(*) FROM (SELECT 1 FROM mem_nodes AS m WHERE m.session = n.seq AND ${condition} LIMIT -1))`;
}

/** The sessions of the active namespace, newest first, cleared ones included. */
export async function listSessions(memory: Memory, limit: number): Promise<ListedSession[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<ListedSession & { standing: Standing }>(
    `SELECT n.id, n.content, n.recorded_at, ${storedIn()} AS node_count,
            n.valid_until, n.tombstoned, n.standing
     FROM main.mem_nodes AS n WHERE n.seq >> 32 = $ns AND n.kind = 'session'
     ORDER BY n.recorded_at DESC, n.seq DESC LIMIT $limit`,
    { ns, limit },
  );
  return rows.map((session) => markedName(memory, session));
}
