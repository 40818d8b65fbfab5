/** Links that follow their symbols. */
import type { Migration } from '../../db/migrate';

export const codeAnchors: Migration = {
  name: 'code anchors',
  schema: 'wlZqWY6qWpTjbaH4s9x7xG',
  sql: `
-- As before, and with what following a symbol needs. The hash belongs to the key: overloads share everything else.
CREATE TABLE mem_touches_2 (
  node      INTEGER NOT NULL,
  file_path TEXT NOT NULL,
  code_type TEXT NOT NULL,
  name      TEXT NOT NULL,                    -- qualified
  hash      TEXT NOT NULL,                    -- of the text that the memory was linked to or confirmed on
  seen      TEXT,                             -- hash of what stood there last, when it was another text
  linked_at TEXT NOT NULL,                    -- when it was linked or confirmed
  was_path  TEXT,                             -- where it stood then, when it has been re-anchored since
  was_type  TEXT,
  was_name  TEXT,
  PRIMARY KEY (node, file_path, code_type, name, hash)
) STRICT, WITHOUT ROWID;
INSERT INTO mem_touches_2 (node, file_path, code_type, name, hash, linked_at)
  SELECT t.node, t.file_path, t.code_type, t.name, t.hash, n.recorded_at
  FROM mem_touches AS t CROSS JOIN mem_nodes AS n ON n.seq = t.node;
DROP TABLE mem_touches;
ALTER TABLE mem_touches_2 RENAME TO mem_touches;
CREATE INDEX mem_touches_by_file ON mem_touches (file_path, code_type, name, hash);
CREATE INDEX mem_touches_by_hash ON mem_touches (hash);
CREATE INDEX mem_touches_by_seen ON mem_touches (seen) WHERE seen IS NOT NULL;

-- Every time that a TOUCHES edge was put on another place.
CREATE TABLE mem_anchors (
  id       INTEGER PRIMARY KEY,
  node     INTEGER NOT NULL,
  at       TEXT NOT NULL,
  why      TEXT NOT NULL,
  old_path TEXT NOT NULL,
  old_type TEXT NOT NULL,
  old_name TEXT NOT NULL,
  old_hash TEXT NOT NULL,
  new_path TEXT NOT NULL,
  new_type TEXT NOT NULL,
  new_name TEXT NOT NULL,
  new_hash TEXT NOT NULL
) STRICT;
CREATE INDEX mem_anchors_by_node ON mem_anchors (node);
`,
};
