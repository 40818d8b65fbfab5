/** Memories are found by what they say. */
import type { Migration } from '../../db/migrate';

export const saidKeys: Migration = {
  name: 'said',
  schema: 'jKEWAGSDFJNs5MEXai-NHd',
  sql: `
-- A number for what a memory says, whatever its case, spaces and end punctuation (memory/similar/said); null for
-- entities and sessions.
ALTER TABLE mem_nodes ADD COLUMN said INTEGER;
CREATE INDEX mem_nodes_by_said ON mem_nodes (said)
  WHERE said IS NOT NULL AND valid_until IS NULL AND tombstoned = 0;
-- SQL cannot make the number: the program gives it to what is there (memory/similar/fill-said).
INSERT INTO mem_flags (name, value) SELECT 'unsaid', '' WHERE EXISTS (SELECT 1 FROM mem_nodes);
`,
};
