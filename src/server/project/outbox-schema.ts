/** The schema of an outbox. */
import type { Migration } from '../db/migrate';

const outbox: Migration = {
  name: 'outbox',
  schema: 'BmGpJ1asKu0cLE4b77qjRo',
  sql: `
-- What a person wants a team to have, in the order in which it is sent.
CREATE TABLE outbox_entries (
  n         INTEGER PRIMARY KEY AUTOINCREMENT, -- no number is given out twice: a person drops by it
  call_key  TEXT NOT NULL,                     -- made when it was queued: sent once more it is stored once
  node_id   TEXT NOT NULL,                     -- of the own memory
  input     TEXT NOT NULL,                     -- JSON: what memory_store of the server is given
  queued_at TEXT NOT NULL,
  sent_at   TEXT,                              -- first; from then on the server may have it
  refused   TEXT                               -- why; null while it waits
) STRICT;
`,
};

export const OUTBOX_MIGRATIONS: readonly Migration[] = [outbox];
