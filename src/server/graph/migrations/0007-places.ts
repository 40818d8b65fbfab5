/** Where symbols went that are not where memories were linked to them. */
import type { Migration } from '../../db/migrate';

export const places: Migration = {
  name: 'places',
  schema: '7cxfBlOsNZgpGXukN3Cxmr',
  sql: `
-- Only a way to find them from the place where they are: each is judged again when it is read.
CREATE TABLE graph_places (
  file_path TEXT NOT NULL,
  code_type TEXT NOT NULL,
  name      TEXT NOT NULL,                    -- qualified
  hash      TEXT NOT NULL,                    -- of the text that a memory was linked to
  now_path  TEXT NOT NULL,
  now_type  TEXT NOT NULL,
  now_name  TEXT NOT NULL,
  PRIMARY KEY (file_path, code_type, name, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX graph_places_by_place ON graph_places (now_path);
`,
};
