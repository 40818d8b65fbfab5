/** What the symbols of memories were when Git had not got them. */
import type { Migration } from '../../db/migrate';

export const texts: Migration = {
  name: 'texts',
  schema: 'E6O5z9Xj6jskz7LlB2GJha',
  sql: `
-- Copies, so that a change can be shown. Without one of them nothing else is shown wrongly.
CREATE TABLE graph_texts (
  hash    TEXT NOT NULL,                      -- that a link accepts
  name    TEXT NOT NULL,                      -- qualified
  text    TEXT NOT NULL,                      -- of the symbol, deflated, in base64
  kept_at TEXT NOT NULL,
  PRIMARY KEY (hash, name)
) STRICT, WITHOUT ROWID;
`,
};
