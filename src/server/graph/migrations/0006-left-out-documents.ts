/** Documents that are left out. */
import type { Migration } from '../../db/migrate';

export const leftOutDocuments: Migration = {
  name: 'left-out-documents',
  schema: '-c1LLCxw3J0jM8fyVlKsl2',
  sql: `
-- Documents that were found, and could not be taken apart.
CREATE TABLE graph_left_out_documents (
  path         TEXT PRIMARY KEY,              -- relative to the root, with forward slashes
  reason       TEXT NOT NULL,
  content_hash TEXT NOT NULL,                 -- of the bytes
  program      TEXT NOT NULL                  -- which one left it out: another one looks again
) STRICT, WITHOUT ROWID;
`,
};
