/** Since when a symbol has its text. */
import type { Migration } from '../../db/migrate';

export const since: Migration = {
  name: 'since',
  schema: 'UXoStuNfCDu5DxqG0wG_0S',
  sql: `
-- When this text was first found in this file, in milliseconds: what stood there all along did not come from elsewhere.
ALTER TABLE graph_files ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE graph_symbols ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
`,
};
