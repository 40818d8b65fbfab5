/** What stands before a name that is used. */
import type { Migration } from '../../db/migrate';

export const qualifiers: Migration = {
  name: 'qualifiers',
  schema: 'EjDVcdcHuXG6k9JQEZb7kC',
  sql: `
-- Of a call: what stands before the name. Of an import: the name in the file that imports, where it is another.
ALTER TABLE graph_references ADD COLUMN qualifier TEXT NOT NULL DEFAULT '';
`,
};
