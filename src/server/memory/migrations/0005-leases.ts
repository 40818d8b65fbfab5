/** Who holds a session, until when, and who answers for it. */
import type { Migration } from '../../db/migrate';

export const leases: Migration = {
  name: 'leases',
  schema: '8sV3qD5Odgz_dcbRuXKNSM',
  sql: `
-- A session belongs to its holder until then; a time that has passed: to nobody.
ALTER TABLE mem_sessions ADD COLUMN lease_until TEXT;
-- Who answers for it; null in a store of one person.
ALTER TABLE mem_sessions ADD COLUMN principal INTEGER;
ALTER TABLE mem_operations ADD COLUMN principal INTEGER;
-- A program that knew no leases held a session at least when it wrote to it.
UPDATE mem_sessions SET lease_until = strftime('%Y-%m-%dT%H:%M:%fZ', last_write_at, '+15 minutes');
`,
};
