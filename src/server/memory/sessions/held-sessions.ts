/** Sessions with who holds them, for people. */
import { timestamp } from '../../base/clock';
import { markedName } from '../marks';
import type { Memory } from '../memory';
import type { Standing } from '../origins';
import { hasWords } from '../people/word-filter';
import type { ListedSession } from './list-sessions';

export interface SessionHolder {
  readonly pid: number;
  readonly host: string;
  readonly client: string;
  /** Whether the session is still its own: it is open, and the lease has not ended. */
  readonly alive: boolean;
}

export interface HeldSession extends ListedSession {
  readonly namespace: string;
  /** Whether writes of the asking process go into it. */
  readonly current: boolean;
  readonly last_write_at: string | null;
  /** Who opened it; null for a session that came with an import. */
  readonly holder: SessionHolder | null;
}

interface Row extends ListedSession {
  readonly namespace: string;
  readonly last_write_at: string | null;
  readonly pid: number | null;
  readonly host: string | null;
  readonly client: string | null;
  readonly held: 0 | 1 | null;
  readonly standing: Standing;
}

export interface AskSessions {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly open: boolean;
  /** Words that the session's name has in it, or a memory that was stored in it; empty for all. */
  readonly letters: string;
  readonly limit: number;
}

/** Sessions with who holds them, newest first. */
export async function heldSessions(
  memory: Memory,
  { namespace, open, letters, limit }: AskSessions,
): Promise<HeldSession[]> {
  const named = hasWords('n', letters);
  const holding = hasWords('m', letters);
  const rows = await memory.sql.all<Row>(
    `SELECT n.id, n.content, n.recorded_at, (SELECT count(*) FROM mem_nodes WHERE session = n.seq) AS node_count,
            n.valid_until, n.tombstoned, n.standing, space.name AS namespace, s.last_write_at, s.pid, s.host, s.client,
            n.valid_until IS NULL AND n.tombstoned = 0 AND s.lease_until > $now AS held
     FROM mem_namespaces AS space CROSS JOIN mem_nodes AS n ON n.seq >> 32 = space.ns AND n.kind = 'session'
     LEFT JOIN mem_sessions AS s ON s.seq = n.seq
     WHERE ($namespace IS NULL OR space.name = $namespace)
       AND ($open = 0 OR (n.tombstoned = 0 AND n.valid_until IS NULL))
       AND (${named.condition} OR EXISTS (SELECT 1 FROM mem_nodes AS m WHERE m.session = n.seq AND ${holding.condition}))
     ORDER BY n.recorded_at DESC, n.seq DESC LIMIT $limit`,
    { namespace: namespace ?? null, open: open ? 1 : 0, limit, now: timestamp(memory.clock()), ...named.values },
  );
  return rows.map(({ pid, host, client, held, ...session }) => ({
    ...markedName(memory, session),
    current: session.id === memory.scope.session?.id,
    holder: pid === null || host === null || client === null ? null : { pid, host, client, alive: held === 1 },
  }));
}
