/** Files, symbols and references. */
import type { Migration } from '../../db/migrate';

export const graph: Migration = {
  name: 'graph',
  schema: 'LSVx7SyEvYD67sKPN-um7s',
  sql: `
CREATE TABLE graph_files (
  id           INTEGER PRIMARY KEY,
  path         TEXT NOT NULL UNIQUE,          -- relative to the root, with forward slashes
  language     TEXT NOT NULL,
  content_hash TEXT NOT NULL,                 -- of the bytes: what incremental builds compare
  text_hash    TEXT NOT NULL,                 -- of the tokens: the file as a symbol of its own
  size         INTEGER NOT NULL,
  modified_ms  INTEGER NOT NULL,
  indexed_ms   INTEGER NOT NULL,
  lines        INTEGER NOT NULL
) STRICT;
CREATE INDEX graph_files_by_text ON graph_files (text_hash);

CREATE TABLE graph_symbols (
  id         INTEGER PRIMARY KEY,
  file       INTEGER NOT NULL,
  code_type  TEXT NOT NULL,
  name       TEXT NOT NULL,
  qualified  TEXT NOT NULL,
  hash       TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line   INTEGER NOT NULL,
  signature  TEXT NOT NULL,
  doc        TEXT NOT NULL
) STRICT;
CREATE INDEX graph_symbols_by_file ON graph_symbols (file, start_line);
CREATE INDEX graph_symbols_by_name ON graph_symbols (name);
CREATE INDEX graph_symbols_by_qualified ON graph_symbols (qualified);
CREATE INDEX graph_symbols_by_hash ON graph_symbols (hash);

-- Names that stand in the code for something defined elsewhere. What they mean is told when it is asked for.
CREATE TABLE graph_references (
  file   INTEGER NOT NULL,
  symbol INTEGER NOT NULL,                    -- the definition around it; 0 outside of all
  kind   TEXT NOT NULL,                       -- call, import, inherit
  name   TEXT NOT NULL,
  module TEXT NOT NULL,                       -- where an import comes from, as it is written
  line   INTEGER NOT NULL
) STRICT;
CREATE INDEX graph_references_by_file ON graph_references (file);
CREATE INDEX graph_references_by_name ON graph_references (name, kind);
CREATE INDEX graph_references_by_symbol ON graph_references (symbol);

-- Names whole and in parts, doc comments, paths; the terms are made by the code that writes and asks.
CREATE VIRTUAL TABLE graph_fts USING fts5 (names, doc, path, tokenize = 'ascii');
INSERT INTO graph_fts (graph_fts, rank) VALUES ('rank', 'bm25(3.0, 1.0, 0.7)');

CREATE TABLE graph_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
};
