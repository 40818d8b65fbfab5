/** What an undo took back. */
import type { Migration } from '../../db/migrate';

export const undoes: Migration = {
  name: 'undoes',
  schema: 'Tchvht-X1gav3rCIQ7vBe2',
  sql: `
-- Of an undo: the operation that it took back, so that undoing and doing again can go on for ever.
ALTER TABLE mem_operations ADD COLUMN undoes INTEGER;
`,
};
