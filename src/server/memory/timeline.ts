import { MEMORY_KINDS, type NodeKind } from './kinds';
import { MAX_TIMELINE_LINES } from './limits';
import type { Memory } from './memory';
import { namespaceNumber } from './namespaces';
import { entityNames, nearest } from './nearest';
import { matches } from './recall/matches';

export interface TimelineEntry {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
  readonly superseded_by: string | null;
}

export interface Timeline {
  /** Oldest first. */
  readonly entries: readonly TimelineEntry[];
  /** Older ones that were left out. */
  readonly omitted: number;
  /** Entity names like the topic, when nothing matches. */
  readonly nearest: readonly string[];
}

/** So many matches are looked at; of more, the best. */
const MAX_MATCHES = 4_000;
/** A memory that matches much worse than the best one is about something else that shares a word. */
const MIN_RELEVANCE = 0.3;

/** All memories on a topic, superseded and forgotten ones included, with the whole chain of what superseded what. */
export async function timeline(memory: Memory, topic: string, since: string | undefined): Promise<Timeline> {
  const { sql } = memory;
  const ns = await namespaceNumber(sql, memory.scope.namespace);
  const found = await matches(memory, topic, { kinds: MEMORY_KINDS, state: 'all', limit: MAX_MATCHES });
  const seqs = found.filter((match) => match.relevance >= MIN_RELEVANCE).map((match) => match.seq);
  const rows = await sql.all<TimelineEntry & { total: number }>(
    `WITH RECURSIVE chain (seq) AS (
       SELECT value FROM json_each($seqs)
       UNION SELECT e.dst FROM chain CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = chain.seq
       UNION SELECT e.src FROM chain CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = chain.seq)
     SELECT n.id, n.kind, n.content, n.confidence, n.valid_from, count(*) OVER () AS total,
            (SELECT new.id FROM mem_edges AS e JOIN mem_nodes AS new ON new.seq = e.src
             WHERE e.type = 'SUPERSEDES' AND e.dst = n.seq ORDER BY new.seq DESC LIMIT 1) AS superseded_by
     FROM chain CROSS JOIN mem_nodes AS n ON n.seq = chain.seq
     WHERE +(n.seq >> 32) = $ns AND n.recorded_at >= $since
     ORDER BY n.valid_from DESC, n.recorded_at DESC, n.seq DESC LIMIT ${MAX_TIMELINE_LINES}`,
    { seqs: JSON.stringify(seqs), ns, since: since ?? '' },
  );
  const total = rows[0]?.total ?? 0;
  return {
    entries: rows.reverse(),
    omitted: total - rows.length,
    nearest: total > 0 ? [] : nearest(topic, await entityNames(sql, ns)),
  };
}
