/** Deletes nodes for good. */
import type { Statement } from '../db/sql';
import { PURGE_HISTORY, TRIM_STORED_RANGES } from './history/operations';
import type { WritableMemory } from './memory';

const EACH = 'SELECT value FROM json_each($seqs)';

const DELETIONS = [
  ...PURGE_HISTORY,
  `DELETE FROM mem_review_queue WHERE node_id IN (SELECT id FROM mem_nodes WHERE seq IN (${EACH}))`,
  `DELETE FROM mem_fts WHERE rowid IN (${EACH})`,
  `DELETE FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND src IN (${EACH})`,
  `DELETE FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND dst IN (${EACH})`,
  `DELETE FROM mem_entity_names WHERE entity IN (${EACH})`,
  `DELETE FROM mem_link_texts WHERE link IN (SELECT id FROM mem_links WHERE node IN (${EACH}))`,
  `DELETE FROM mem_links WHERE node IN (${EACH})`,
  `DELETE FROM mem_sessions WHERE seq IN (${EACH})`,
  // The number of the newest row is given out again: nothing may still point to it.
  `UPDATE mem_nodes SET session = NULL, episode = NULL WHERE session IN (${EACH})`,
  `DELETE FROM mem_origins WHERE id IN (SELECT origin FROM mem_nodes WHERE seq IN (${EACH}))
   AND NOT EXISTS (SELECT 1 FROM mem_nodes AS n WHERE n.origin = mem_origins.id AND n.seq NOT IN (${EACH}))`,
  `DELETE FROM mem_nodes WHERE seq IN (${EACH})`,
  TRIM_STORED_RANGES,
];

/**
 * Deletes rows with everything that hangs on them. Row numbers come as a list, not by namespace: see the callers.
 * @param then what is to be done after it, in the same round trip
 */
export async function deleteNodes(
  { sql: writer }: Pick<WritableMemory, 'sql'>,
  seqs: readonly number[],
  then: readonly Statement[] = [],
): Promise<void> {
  const parameters = { seqs: JSON.stringify(seqs) };
  await writer.batch([...DELETIONS.map((sql) => ({ sql, parameters })), ...then]);
}
