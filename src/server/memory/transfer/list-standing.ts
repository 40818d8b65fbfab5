/** The memories that hold, for those who write them down elsewhere. */
import type { MemoryKind } from '../../../kinds/kinds';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { textList } from '../stored-json';

export interface StandingMemory {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly content: string;
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  /** Names. */
  readonly entities: readonly string[];
}

interface Row extends Omit<StandingMemory, 'alternatives_rejected' | 'entities'> {
  // JSON of lists.
  readonly alternatives_rejected: string | null;
  readonly entities: string;
}

/** Open ones of these kinds, newest first; none that waits for a person. @param most that are given */
export async function listStanding(
  { sql, scope }: Memory,
  kinds: readonly MemoryKind[],
  most: number,
): Promise<StandingMemory[]> {
  const ns = await namespaceNumber(sql, scope.namespace);
  const rows = await sql.all<Row>(
    `SELECT n.id, n.kind, n.content, n.rationale, n.alternatives_rejected,
            (SELECT json_group_array(e.content) FROM mem_edges AS a JOIN mem_nodes AS e ON e.seq = a.dst
             WHERE a.type = 'ABOUT' AND a.src = n.seq) AS entities
     FROM mem_nodes AS n
     WHERE n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32 AND n.kind IN (SELECT value FROM json_each($kinds))
       AND n.tombstoned = 0 AND n.valid_until IS NULL AND n.standing <> 'proposed'
     ORDER BY n.valid_from DESC, n.seq DESC LIMIT $most`,
    { ns, kinds: JSON.stringify(kinds), most },
  );
  return rows.map(({ alternatives_rejected, entities, ...row }) => ({
    ...row,
    alternatives_rejected: textList(alternatives_rejected),
    entities: textList(entities),
  }));
}
