/** Sources that are left out. */
import type { Migration } from '../../db/migrate';

export const leftOut: Migration = {
  name: 'left-out',
  schema: 'Wq3472Er2vsAiIgwbmPofh',
  sql: `
-- Sources that were found and are not in the graph.
CREATE TABLE graph_left_out (
  path         TEXT PRIMARY KEY,              -- relative to the root, with forward slashes; a folder's ends in one
  reason       TEXT NOT NULL,
  content_hash TEXT NOT NULL,                 -- of the bytes; '' where they were not read
  size         INTEGER NOT NULL,
  modified_ms  INTEGER NOT NULL,
  looked_ms    INTEGER NOT NULL,
  program      TEXT NOT NULL                  -- which one left it out: another one looks again
) STRICT, WITHOUT ROWID;
`,
};
