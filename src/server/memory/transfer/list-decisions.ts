/** The decisions of a namespace, for those who write them down elsewhere. */
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { textList } from '../stored-json';

export interface ListedDecision {
  readonly id: string;
  readonly content: string;
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  readonly confidence: number;
  readonly valid_from: string;
  readonly valid_until: string | null;
  /** Names. */
  readonly entities: readonly string[];
  /** Ids of what took its place. */
  readonly superseded_by: readonly string[];
}

interface Row extends Omit<ListedDecision, 'alternatives_rejected' | 'entities' | 'superseded_by'> {
  // JSON of lists.
  readonly alternatives_rejected: string | null;
  readonly entities: string;
  readonly superseded_by: string;
}

/** Oldest first, superseded ones too; none that was forgotten, or that waits for a person. */
export async function listDecisions({ sql, scope }: Memory): Promise<ListedDecision[]> {
  const ns = await namespaceNumber(sql, scope.namespace);
  const rows = await sql.all<Row>(
    `SELECT n.id, n.content, n.rationale, n.alternatives_rejected, n.confidence, n.valid_from, n.valid_until,
            (SELECT json_group_array(e.content) FROM mem_edges AS a JOIN mem_nodes AS e ON e.seq = a.dst
             WHERE a.type = 'ABOUT' AND a.src = n.seq) AS entities,
            (SELECT json_group_array(newer.id) FROM mem_edges AS s JOIN mem_nodes AS newer ON newer.seq = s.src
             WHERE s.type = 'SUPERSEDES' AND s.dst = n.seq AND newer.tombstoned = 0 AND newer.kind = 'decision'
               AND newer.standing <> 'proposed') AS superseded_by
     FROM mem_nodes AS n
     WHERE n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32 AND n.kind = 'decision' AND n.tombstoned = 0
       AND n.standing <> 'proposed'
     ORDER BY n.valid_from, n.seq`,
    { ns },
  );
  return rows.map(({ alternatives_rejected, entities, superseded_by, ...row }) => ({
    ...row,
    alternatives_rejected: textList(alternatives_rejected),
    entities: textList(entities),
    superseded_by: textList(superseded_by),
  }));
}
