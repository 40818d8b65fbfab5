/** How much each namespace holds. */

import { DEFAULT_NAMESPACE } from '../limits';
import type { Marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber, proposedNamespace } from '../namespaces';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';
import { isValid } from './node-filter';

export interface NamespaceCounts extends Pick<Marked, 'marks'> {
  readonly name: string;
  /** Those that hold, as they are listed. */
  readonly memories: number;
  /** Those that hold no longer; forgotten ones are not counted. */
  readonly closed: number;
  readonly entities: number;
  readonly sessions: number;
  /** The one that the asking process is in. */
  readonly active: boolean;
}

/** Every namespace that holds anything, `default` and the active one, by name. */
export async function namespaceCounts(memory: Memory): Promise<NamespaceCounts[]> {
  const { namespace: active } = memory.scope;
  const rows = await memory.sql.all<Omit<NamespaceCounts, 'active' | 'marks'> & { nodes: number; proposed: 0 | 1 }>(
    // Grouped by whole columns of one index, so that rows are read for what is closed alone.
    `WITH past AS MATERIALIZED (
       SELECT seq >> 32 AS ns, count(*) AS n FROM mem_nodes
       WHERE valid_until IS NOT NULL AND tombstoned = 0 AND kind NOT IN (${STRUCTURAL_KINDS_SQL}) GROUP BY 1)
     SELECT s.name, coalesce(sum(c.n), 0) AS nodes, coalesce(p.n, 0) AS closed,
            coalesce(sum(c.n) FILTER (WHERE c.tombstoned = 0 AND c.kind NOT IN (${STRUCTURAL_KINDS_SQL})), 0)
              - coalesce(p.n, 0) AS memories,
            coalesce(sum(c.n) FILTER (WHERE c.tombstoned = 0 AND c.kind = 'entity'), 0) AS entities,
            coalesce(sum(c.n) FILTER (WHERE c.tombstoned = 0 AND c.kind = 'session'), 0) AS sessions,
            ${proposedNamespace('s')} AS proposed
     FROM mem_namespaces AS s LEFT JOIN (
       SELECT seq >> 32 AS ns, kind, tombstoned, count(*) AS n FROM mem_nodes GROUP BY seq >> 32, kind, tombstoned
     ) AS c ON c.ns = s.ns LEFT JOIN past AS p ON p.ns = s.ns
     GROUP BY s.name`,
  );
  const counts = rows
    .filter(({ name, nodes }) => nodes > 0 || name === DEFAULT_NAMESPACE || name === active)
    .map(
      ({ name, memories, closed, entities, sessions, proposed }): NamespaceCounts => ({
        ...{ name, memories, closed, entities, sessions, active: name === active },
        ...(proposed ? { marks: ['proposed'] } : {}),
      }),
    );
  if (!counts.some((each) => each.active)) {
    counts.push({ name: active, memories: 0, closed: 0, entities: 0, sessions: 0, active: true });
  }
  return counts.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** How many `namespaceCounts` gives, without counting what they hold. */
export async function countNamespaces(memory: Memory): Promise<number> {
  const { namespace: active } = memory.scope;
  const rows = await memory.sql.all<{ name: string }>(
    `SELECT s.name FROM mem_namespaces AS s
     WHERE s.name IN ($default, $active)
       OR EXISTS (SELECT 1 FROM mem_nodes AS n WHERE n.seq >= s.ns << 32 AND n.seq < (s.ns + 1) << 32)`,
    { default: DEFAULT_NAMESPACE, active },
  );
  return rows.length + (rows.some(({ name }) => name === active) ? 0 : 1);
}

/** Whether the active namespace holds a memory that is open; one that is only proposed is not remembered yet. */
export async function remembersAny({ sql, scope }: Memory): Promise<boolean> {
  const ns = await namespaceNumber(sql, scope.namespace);
  const found = await sql.get(
    `SELECT n.seq FROM mem_nodes AS n
     WHERE n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32 AND n.kind NOT IN (${STRUCTURAL_KINDS_SQL}) AND ${isValid('n')}
       AND n.standing <> 'proposed'
     LIMIT 1`,
    { ns },
  );
  return found !== undefined;
}
