/** Leases: until when a session belongs to its holder (docs/behaviour.md, "Sessions"). */
import { MINUTE_MS, timestamp } from '../../base/clock';
import type { Reader, Writer } from '../../db/sql';
import type { Holder, Memory } from '../memory';
import type { OpenSession } from './sessions';

/** How long a session is its holder's own after a write or a renewal, in milliseconds. */
export const LEASE_MS = 15 * MINUTE_MS;
/** How often a process renews a lease while it lasts, so that it outlives one or two renewals that come late. */
export const RENEWALS = 3;

/** When a lease ends that begins now. */
export function leaseEnd(memory: Pick<Memory, 'clock' | 'holder'>): string {
  return timestamp(memory.clock() + memory.holder().leaseMs);
}

/** Of the sessions $sessions, as [row number, id], those that are open and that the process $pid on $host opened. */
const HELD = `SELECT s.seq FROM json_each($sessions) AS one
  CROSS JOIN mem_nodes AS n ON n.seq = one.value ->> 0 AND n.id = one.value ->> 1
  CROSS JOIN mem_sessions AS s ON s.seq = n.seq AND s.pid = $pid AND s.host = $host
  WHERE n.valid_until IS NULL AND n.tombstoned = 0`;

/** Whether any of them is still to be held by this process: another one may have closed it. */
export async function holdsAny(sql: Reader, holder: Holder, sessions: readonly OpenSession[]): Promise<boolean> {
  return (await sql.get(`${HELD} LIMIT 1`, parameters(holder, sessions))) !== undefined;
}

/** @param until in our own 24-character form; a time that has passed gives them up */
export async function leaseUntil(
  sql: Writer,
  holder: Holder,
  sessions: readonly OpenSession[],
  until: string,
): Promise<void> {
  await sql.run(`UPDATE mem_sessions SET lease_until = $until WHERE seq IN (${HELD})`, {
    ...parameters(holder, sessions),
    until,
  });
}

function parameters({ pid, host }: Holder, sessions: readonly OpenSession[]) {
  return { pid, host, sessions: JSON.stringify(sessions.map(({ seq, id }) => [seq, id])) };
}
