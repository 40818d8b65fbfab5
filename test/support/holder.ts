import type { Holder } from '../../src/server/memory/memory';
import { LEASE_MS } from '../../src/server/memory/sessions/leases';

/** Who writes in tests that open a project in their own process. */
export const testHolder = (own: Partial<Holder> = {}): Holder => ({
  principal: null,
  pid: process.pid,
  host: 'test-host',
  client: 'test',
  by: 'agent',
  leaseMs: LEASE_MS,
  ...own,
});
