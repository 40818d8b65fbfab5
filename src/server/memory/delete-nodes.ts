/** Deletes nodes for good. */
import { purgeHistory, trimStoredRanges } from './history/operations';
import type { WritableMemory } from './memory';

/** Deletes rows with everything that hangs on them. Row numbers come as a list, not by namespace: see the callers. */
export async function deleteNodes(memory: WritableMemory, seqs: readonly number[]): Promise<void> {
  const list = { seqs: JSON.stringify(seqs) };
  const each = 'SELECT value FROM json_each($seqs)';
  await purgeHistory(memory, seqs);
  for (const statement of [
    `DELETE FROM mem_review_queue WHERE node_id IN (SELECT id FROM mem_nodes WHERE seq IN (${each}))`,
    `DELETE FROM mem_fts WHERE rowid IN (${each})`,
    `DELETE FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND src IN (${each})`,
    `DELETE FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND dst IN (${each})`,
    `DELETE FROM mem_entity_names WHERE entity IN (${each})`,
    `DELETE FROM mem_touches WHERE node IN (${each})`,
    `DELETE FROM mem_anchors WHERE node IN (${each})`,
    `DELETE FROM mem_sessions WHERE seq IN (${each})`,
    // The number of the newest row is given out again: nothing may still point to it.
    `UPDATE mem_nodes SET session = NULL, episode = NULL WHERE session IN (${each})`,
    `DELETE FROM mem_nodes WHERE seq IN (${each})`,
  ]) {
    await memory.sql.run(statement, list);
  }
  await trimStoredRanges(memory, seqs);
}
