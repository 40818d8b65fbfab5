/** The history of nodes, and pairs to keep. */
import type { Migration } from '../../db/migrate';

export const history: Migration = {
  name: 'history',
  schema: 'CxEpTBOPcJPVS2i44RtI1g',
  sql: `
-- One row for each tool call that changed a namespace: who did it, and what it created. It holds no content.
CREATE TABLE mem_operations (
  id           INTEGER PRIMARY KEY,
  ns           INTEGER NOT NULL,
  tool         TEXT NOT NULL,
  at           TEXT NOT NULL,
  pid          INTEGER NOT NULL,
  host         TEXT NOT NULL,
  client       TEXT NOT NULL,
  created_from INTEGER,                       -- row numbers of the nodes it stored, both ends included
  created_to   INTEGER,
  undone_by    INTEGER                        -- the operation that took it back
) STRICT;
CREATE INDEX mem_operations_by_created ON mem_operations (created_from) WHERE created_from IS NOT NULL;

-- What an operation changed: before and after of [confidence, valid_until, tombstoned] of each node. Content never
-- changes, so none of it is kept here.
CREATE TABLE mem_history (
  operation INTEGER NOT NULL,
  node      INTEGER NOT NULL,
  action    TEXT NOT NULL,
  before    TEXT NOT NULL,
  after     TEXT,
  side      TEXT,                             -- what changed beside the node, as JSON; see memory/side-effects
  PRIMARY KEY (operation, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX mem_history_by_node ON mem_history (node, operation);

-- Pairs that look like near-duplicates and that a person wants to keep: no review shows them, no consolidation closes
-- one of them. The lower row number first.
CREATE TABLE mem_kept_pairs (
  one   INTEGER NOT NULL,
  other INTEGER NOT NULL,
  PRIMARY KEY (one, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX mem_kept_pairs_back ON mem_kept_pairs (other);
`,
};
