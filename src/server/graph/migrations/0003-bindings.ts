/** Documents, sections and bindings. */
import type { Migration } from '../../db/migrate';

export const bindings: Migration = {
  name: 'bindings',
  schema: '_2lGLt3PYbzUd5nncVRSA-',
  sql: `
-- What people gave to svc ingest: where svc sync looks for documents that are new.
CREATE TABLE graph_ingested (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE graph_documents (
  id           INTEGER PRIMARY KEY,
  path         TEXT NOT NULL UNIQUE,          -- relative to the root, with forward slashes
  content_hash TEXT NOT NULL                  -- of the bytes, as they were read last
) STRICT;

CREATE TABLE graph_sections (
  id          INTEGER PRIMARY KEY,
  document    INTEGER NOT NULL,
  heading     TEXT NOT NULL,                  -- with those above it, joined by ' › '
  start_line  INTEGER NOT NULL,
  end_line    INTEGER NOT NULL,
  hash        TEXT NOT NULL,                  -- of its lines, as they were read last
  judged_hash TEXT NOT NULL,                  -- of the lines that its bindings were made from; '' before that
  provider    TEXT NOT NULL,                  -- who judged it, and with which model
  model       TEXT NOT NULL,
  judged      TEXT NOT NULL                   -- the candidates that were judged, as a JSON list of hashes
) STRICT;
CREATE INDEX graph_sections_by_document ON graph_sections (document, start_line);

CREATE TABLE graph_bindings (
  section    INTEGER NOT NULL,
  file_path  TEXT NOT NULL,
  code_type  TEXT NOT NULL,
  name       TEXT NOT NULL,                   -- qualified
  hash       TEXT NOT NULL,                   -- of the symbol's tokens: it is found again when it is renamed or moved
  confidence REAL NOT NULL,
  reason     TEXT NOT NULL,
  provider   TEXT NOT NULL,
  model      TEXT NOT NULL,
  PRIMARY KEY (section, file_path, code_type, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX graph_bindings_by_symbol ON graph_bindings (file_path, code_type, name);
CREATE INDEX graph_bindings_by_hash ON graph_bindings (hash);

-- The terms of the sections; they are made by the code that writes and asks.
CREATE VIRTUAL TABLE graph_section_fts USING fts5 (heading, text, tokenize = 'ascii');
INSERT INTO graph_section_fts (graph_section_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0)');

-- Vectors that a model on this machine has made, so that each text is embedded once.
CREATE TABLE graph_embeddings (
  model     TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  vector    TEXT NOT NULL,                    -- 32-bit floats in base64
  PRIMARY KEY (model, text_hash)
) STRICT, WITHOUT ROWID;
`,
};
