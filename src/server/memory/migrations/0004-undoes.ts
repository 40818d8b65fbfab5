import type { Migration } from '../../db/migrate';

export const undoes: Migration = {
  name: 'undoes',
  sql: `
-- Of an undo: the operation that it took back, so that undoing and doing again can go on for ever.
ALTER TABLE mem_operations ADD COLUMN undoes INTEGER;
`,
};
