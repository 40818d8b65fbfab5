/** What a store of several people keeps beside their memories. */
import type { Migration } from '../../db/migrate';

export const team: Migration = {
  name: 'team',
  schema: 'CnvjfkQTGbPXiKCsxiD2SB',
  sql: `
-- What a writing call answered, so that the same call sent once more is answered and not carried out twice. Kept for some
-- days; the answer is emptied when a memory is purged.
CREATE TABLE mem_calls (
  principal INTEGER NOT NULL,
  call_key  TEXT NOT NULL,                    -- made by the caller
  tool      TEXT NOT NULL,
  at        TEXT NOT NULL,
  answer    TEXT,                             -- JSON of what the tool gave back; null once it is gone
  PRIMARY KEY (principal, call_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX mem_calls_by_time ON mem_calls (at);

-- The state of a client of a server, so that any instance of the server can go on with it.
CREATE TABLE mem_connections (
  id          TEXT PRIMARY KEY,               -- hash of the session of the protocol
  principal   INTEGER NOT NULL,
  client      TEXT NOT NULL,                  -- as it calls itself
  scope       TEXT NOT NULL,                  -- JSON: active namespace, open session
  lease_until TEXT NOT NULL                   -- forgotten after this time
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX mem_principals_by_name ON mem_principals (kind, name);
-- A call may change several namespaces or none, so its key stands with its answer.
ALTER TABLE mem_operations DROP COLUMN call_key;
`,
};
