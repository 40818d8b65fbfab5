/** Finds and closes sessions that were left behind. */
import { DAY_MS, timestamp } from '../../base/clock';
import type { Memory, WritableMemory } from '../memory';

/** A session without a write for so long, that nobody holds, is closed. */
const LEFT_AFTER_MS = DAY_MS;

export interface LeftSession {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly last_write_at: string;
}

/** The open sessions of a namespace whose lease has ended, and that nothing was written to for a day. */
export function leftSessions(memory: Memory, ns: number): Promise<LeftSession[]> {
  const now = memory.clock();
  return memory.sql.all<LeftSession>(
    `SELECT * FROM (
       SELECT n.seq, n.id, n.content AS name,
              max(n.recorded_at, coalesce(h.last_write_at, ''),
                  coalesce((SELECT max(m.recorded_at) FROM mem_nodes AS m WHERE m.session = n.seq), '')) AS last_write_at
       FROM mem_nodes AS n LEFT JOIN mem_sessions AS h ON h.seq = n.seq
       WHERE n.seq >> 32 = $ns AND n.kind = 'session' AND n.valid_until IS NULL AND n.tombstoned = 0
         AND (h.lease_until > $now) IS NOT TRUE)
     WHERE last_write_at <= $before ORDER BY seq`,
    { ns, now: timestamp(now), before: timestamp(now - LEFT_AFTER_MS) },
  );
}

/** Run in a transaction. */
export async function closeSessions(
  memory: WritableMemory,
  ns: number,
  sessions: readonly LeftSession[],
): Promise<void> {
  await memory.sql.run(
    `UPDATE mem_nodes SET valid_until = $now
     WHERE seq IN (SELECT value FROM json_each($seqs)) AND +(seq >> 32) = $ns AND valid_until IS NULL`,
    { ns, seqs: JSON.stringify(sessions.map(({ seq }) => seq)), now: timestamp(memory.clock()) },
  );
}
