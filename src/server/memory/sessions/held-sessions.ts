/** Sessions with who holds them, for people. */
import { timestamp } from '../../base/clock';
import { markedName } from '../marks';
import type { Memory } from '../memory';
import { ORIGIN_JSON, type Origin, originIn, type Standing } from '../origins';
import { isEmptyFilter, isValid, type NodeFilter, passes } from '../people/node-filter';
import { hasWords } from '../people/word-filter';
import { type ListedSession, storedIn } from './list-sessions';
import { topicOf } from './session-names';

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
  /** What it was about, where nobody named it: its first decision, or its first memory. */
  readonly topic: string | null;
  /** Where its first memory came from, of those that are neither proposed nor forgotten: who wrote it. Null where that is not known. */
  readonly origin: Origin | null;
  /** Memories in it that are valid now. */
  readonly valid: number;
  /** Memories in it that pass the filter: of the valid ones, or of all that are asked for. Null where there is no filter. */
  readonly matching: number | null;
}

interface Row extends ListedSession {
  readonly namespace: string;
  readonly last_write_at: string | null;
  readonly pid: number | null;
  readonly host: string | null;
  readonly client: string | null;
  readonly held: 0 | 1 | null;
  readonly standing: Standing;
  readonly topic: string | null;
  /** JSON of an Origin. */
  readonly origin: string | null;
  readonly valid: number;
  readonly matching: number | null;
}

/** Of the filter, the session's name has the words, or a memory that was stored in it passes. */
export interface AskSessions extends NodeFilter {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly open: boolean;
  /** Counts what is closed and forgotten, too. */
  readonly closed: boolean;
  readonly limit: number;
}

/** Sessions with who holds them, newest first. */
export async function heldSessions(
  memory: Memory,
  { namespace, open, closed, limit, ...filter }: AskSessions,
): Promise<HeldSession[]> {
  const named = hasWords('n', filter.letters);
  const holding = await passes(memory, 'm', filter);
  const isFound = `EXISTS (SELECT 1 FROM mem_nodes AS m WHERE m.session = n.seq AND ${holding.condition})`;
  const counted = closed ? holding.condition : `${isValid('m')} AND ${holding.condition}`;
  const rows = await memory.sql.all<Row>(
    // What is counted and looked up of a session, only of those that are given out.
    `WITH page AS MATERIALIZED (
       SELECT n.seq, space.name AS namespace, n.recorded_at
       FROM mem_namespaces AS space CROSS JOIN main.mem_nodes AS n ON n.seq >> 32 = space.ns AND n.kind = 'session'
       WHERE ($namespace IS NULL OR space.name = $namespace)
         AND ($open = 0 OR (n.tombstoned = 0 AND n.valid_until IS NULL))
         AND (${isEmptyFilter({ ...filter, letters: '' }) ? `${named.condition} OR ` : ''}${isFound})
       ORDER BY n.recorded_at DESC, n.seq DESC LIMIT $limit)
     SELECT n.id, n.content, n.recorded_at, ${storedIn()} AS node_count,
            n.valid_until, n.tombstoned, n.standing, page.namespace, s.last_write_at, s.pid, s.host, s.client,
            n.valid_until IS NULL AND n.tombstoned = 0 AND s.lease_until > $now AS held,
            ${topicOf('n')} AS topic,
            (SELECT ${ORIGIN_JSON} FROM (
               SELECT n.origin, n.recorded_at, n.seq FROM mem_nodes AS n
               WHERE n.session = page.seq AND n.origin IS NOT NULL AND n.standing <> 'proposed' AND n.tombstoned = 0 LIMIT -1) AS n
             ORDER BY n.recorded_at, n.seq LIMIT 1) AS origin,
            ${storedIn(isValid('m'))} AS valid, ${isEmptyFilter(filter) ? 'NULL' : storedIn(counted)} AS matching
     FROM page CROSS JOIN main.mem_nodes AS n ON n.seq = page.seq LEFT JOIN mem_sessions AS s ON s.seq = n.seq
     ORDER BY page.recorded_at DESC, page.seq DESC`,
    {
      ...{ namespace: namespace ?? null, open: open ? 1 : 0, limit, now: timestamp(memory.clock()) },
      ...named.values,
      ...holding.values,
    },
  );
  return rows.map(({ pid, host, client, held, origin, ...session }) => ({
    ...markedName(memory, session),
    origin: originIn(origin),
    current: session.id === memory.scope.session?.id,
    holder: pid === null || host === null || client === null ? null : { pid, host, client, alive: held === 1 },
  }));
}
