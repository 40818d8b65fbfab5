/** Links that say what they were made on, and not where code stands now. */
import type { Migration } from '../../db/migrate';

export const links: Migration = {
  name: 'links',
  schema: '4y5FxQ8Tr9vRzqxKrYMpLY',
  sql: `
-- A TOUCHES edge. Where its symbol stands now is found out when it is read.
CREATE TABLE mem_links (
  id        INTEGER PRIMARY KEY,
  node      INTEGER NOT NULL,
  file_path TEXT NOT NULL,
  code_type TEXT NOT NULL,
  name      TEXT NOT NULL,                    -- qualified
  hash      TEXT NOT NULL,                    -- of the text that it was made on
  linked_at TEXT NOT NULL,
  "commit"  TEXT,                             -- of HEAD then; null without Git, and where nobody kept it
  UNIQUE (node, file_path, code_type, name, hash)
) STRICT;

-- The other texts that a link accepts: those that somebody confirmed. An empty hash accepts that it is gone.
CREATE TABLE mem_link_texts (
  link INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (link, hash)
) STRICT, WITHOUT ROWID;

-- A link is made of the place that it had followed its symbol to, so each verdict stays, but for a move that nobody had
-- confirmed: a move is no doubt any more.
INSERT OR IGNORE INTO mem_links (node, file_path, code_type, name, hash, linked_at)
  SELECT node, file_path, code_type, name, hash, linked_at FROM mem_touches ORDER BY node, file_path, name;
UPDATE OR IGNORE mem_review_queue
  SET file_path = (SELECT t.file_path FROM mem_touches AS t JOIN mem_nodes AS n ON n.seq = t.node
                   WHERE n.id = node_id AND t.was_path = mem_review_queue.file_path LIMIT 1)
  WHERE settled_at IS NULL AND EXISTS (
    SELECT 1 FROM mem_touches AS t JOIN mem_nodes AS n ON n.seq = t.node
    WHERE n.id = node_id AND t.was_path = mem_review_queue.file_path);
DROP TABLE mem_touches;
DROP TABLE mem_anchors;
CREATE INDEX mem_links_by_file ON mem_links (file_path, code_type, name, hash);
CREATE INDEX mem_links_by_hash ON mem_links (hash);
CREATE INDEX mem_link_texts_by_hash ON mem_link_texts (hash);
`,
};
