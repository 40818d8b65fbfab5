/** The first schema: nodes, edges, names, sessions, search. */
import type { Migration } from '../../db/migrate';

export const memories: Migration = {
  name: 'memories',
  schema: 'PEJkmVpEosiU8uJpf0w3NW',
  sql: `
-- A namespace owns the row numbers [ns << 32, (ns + 1) << 32): a range on the row number is the isolation, in the
-- tables as in the full-text index.
CREATE TABLE mem_namespaces (
  ns   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO mem_namespaces (ns, name) VALUES (1, 'default');

CREATE TABLE mem_nodes (
  seq                   INTEGER PRIMARY KEY,  -- order of storing within its namespace; rowid of mem_fts
  id                    TEXT NOT NULL UNIQUE,
  kind                  TEXT NOT NULL,
  content               TEXT NOT NULL,
  confidence            REAL NOT NULL,
  recorded_at           TEXT NOT NULL,
  valid_from            TEXT NOT NULL,
  valid_until           TEXT,
  tombstoned            INTEGER NOT NULL DEFAULT 0,
  rationale             TEXT,
  alternatives_rejected TEXT,                 -- JSON array of strings
  session               INTEGER,              -- seq of the session it was stored in
  episode               INTEGER,              -- seq of the first memory of its unbroken stretch of that session
  uses                  INTEGER NOT NULL DEFAULT 0,
  tokens                INTEGER               -- size of its printed line in o200k_base tokens, once measured
) STRICT;
CREATE INDEX mem_nodes_by_kind ON mem_nodes (seq >> 32, kind, tombstoned, valid_from);
CREATE INDEX mem_nodes_by_session ON mem_nodes (session, seq) WHERE session IS NOT NULL;
CREATE INDEX mem_nodes_by_episode ON mem_nodes (episode, seq) WHERE episode IS NOT NULL;

-- ABOUT, SUPERSEDES and OCCURRED_IN; both ends lie in one namespace.
CREATE TABLE mem_edges (
  type TEXT NOT NULL,
  src  INTEGER NOT NULL,
  dst  INTEGER NOT NULL,
  PRIMARY KEY (type, src, dst)
) STRICT, WITHOUT ROWID;
CREATE INDEX mem_edges_back ON mem_edges (type, dst, src);

-- Every name of an entity, folded: its own name and its aliases.
CREATE TABLE mem_entity_names (
  ns     INTEGER NOT NULL,
  folded TEXT NOT NULL,
  entity INTEGER NOT NULL,
  alias  TEXT,                                -- as it was written; null for the entity's own name
  PRIMARY KEY (ns, folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX mem_entity_names_by_entity ON mem_entity_names (entity);

-- Who holds a session; it stays readable after that process is gone.
CREATE TABLE mem_sessions (
  seq           INTEGER PRIMARY KEY,
  pid           INTEGER NOT NULL,
  host          TEXT NOT NULL,
  client        TEXT NOT NULL,
  last_write_at TEXT NOT NULL
) STRICT;

-- TOUCHES edges to the code graph. They keep what a symbol is; where it stands is computed when read.
CREATE TABLE mem_touches (
  node      INTEGER NOT NULL,
  file_path TEXT NOT NULL,
  code_type TEXT NOT NULL,
  name      TEXT NOT NULL,                    -- qualified
  hash      TEXT NOT NULL,
  PRIMARY KEY (node, file_path, code_type, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX mem_touches_by_file ON mem_touches (file_path);
CREATE INDEX mem_touches_by_hash ON mem_touches (hash);

CREATE TABLE mem_review_queue (
  id         INTEGER PRIMARY KEY,
  node_id    TEXT NOT NULL,
  file_path  TEXT NOT NULL,
  reason     TEXT NOT NULL,                   -- stale or missing
  verdict    TEXT NOT NULL,
  seen       TEXT NOT NULL,                   -- hashes of the symbols' text when it was queued
  queued_at  TEXT NOT NULL,
  settled_at TEXT
) STRICT;
CREATE UNIQUE INDEX mem_review_queue_open ON mem_review_queue (node_id, file_path) WHERE settled_at IS NULL;
CREATE INDEX mem_review_queue_by_node ON mem_review_queue (node_id, file_path);

-- Consolidation: queued, running, done, failed.
CREATE TABLE mem_jobs (
  id         INTEGER PRIMARY KEY,
  ns         INTEGER NOT NULL,
  state      TEXT NOT NULL DEFAULT 'queued',
  attempts   INTEGER NOT NULL DEFAULT 0,
  pid        INTEGER,
  host       TEXT,
  queued_at  TEXT NOT NULL,
  started_at TEXT,
  ended_at   TEXT,
  problem    TEXT
) STRICT;

-- Facts about the store itself, such as an erase that is still to be finished.
CREATE TABLE mem_flags (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- What search matches: words as written, their stems where these differ, and what stands around the content (entity
-- names, rationale, rejected alternatives). The terms are made in memory/text; the tokenizer only splits at spaces.
CREATE VIRTUAL TABLE mem_fts USING fts5 (words, stems, context, tokenize = 'ascii');
INSERT INTO mem_fts (mem_fts, rank) VALUES ('rank', 'bm25(1.0, 0.7, 0.7)');
-- Bytes that a writing statement collects before it writes a segment: what an import writes at once, fits.
INSERT INTO mem_fts (mem_fts, rank) VALUES ('hashsize', 4194304);
CREATE VIRTUAL TABLE mem_fts_terms USING fts5vocab (mem_fts, row);
`,
};
