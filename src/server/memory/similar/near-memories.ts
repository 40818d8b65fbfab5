/** Which open memories one that is there nearly repeats. */
import { isStructural, type NodeKind } from '../../../kinds/kinds';
import { ownRowOf } from '../layers';
import { type Marked, markedReference } from '../marks';
import type { Memory } from '../memory';
import type { Standing } from '../origins';
import { findNear, NEARLY_THE_SAME } from './find-near';

const MOST_SHOWN = 2;

/** Another memory, by what it says. */
export interface NearMemory extends Marked {
  readonly id: string;
  readonly content: string;
}

/** What is looked at, in the active namespace. */
export interface Repeating {
  readonly id: string;
  readonly content: string;
  readonly kind: NodeKind;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
  /** What it takes the place of: that is told already. */
  readonly replaces: readonly { readonly id: string }[];
}

/**
 * The best two of those that say nearly the same, without those that a person has kept beside it; none for what is
 * closed or forgotten.
 */
export async function nearMemories(
  memory: Memory,
  { id, content, kind, valid_until, tombstoned, replaces }: Repeating,
): Promise<readonly NearMemory[]> {
  if (isStructural(kind) || valid_until !== null || tombstoned === 1) return [];
  const text = { content, kind, namespace: memory.scope.namespace, isStored: true };
  const ids = await findNear(memory, text, NEARLY_THE_SAME);
  const others = ids.filter((one) => one !== id && !replaces.some((told) => told.id === one));
  if (others.length === 0) return [];
  const pair = [ownRowOf(memory.sql, 'n.seq'), ownRowOf(memory.sql, 'own.seq')].join();
  const rows = await memory.sql.all<NearMemory & { valid_from: string; recorded_at: string; standing: Standing }>(
    `SELECT asked.key AS place, n.id, n.content, n.valid_from, n.recorded_at, n.standing
     FROM json_each($others) AS asked CROSS JOIN mem_nodes AS n ON n.id = asked.value
     CROSS JOIN mem_nodes AS own ON own.id = $id
     WHERE n.seq >> 32 = own.seq >> 32 AND NOT EXISTS (
       SELECT 1 FROM mem_kept_pairs WHERE one = min(${pair}) AND other = max(${pair}))
     ORDER BY place LIMIT ${MOST_SHOWN}`,
    { others: JSON.stringify(others), id },
  );
  return rows.map((row) => markedReference(memory, row));
}
