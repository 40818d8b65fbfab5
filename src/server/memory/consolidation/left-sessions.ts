/** Finds and closes sessions that were left behind. */
import { DAY_MS, timestamp } from '../../base/clock';
import type { IsAlive } from '../../base/process-is-alive';
import type { Memory, WritableMemory } from '../memory';

/** A session without a write for so long, that no process holds, is closed. */
const LEFT_AFTER_MS = DAY_MS;

export interface LeftSession {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly last_write_at: string;
}

interface OpenSessionRow extends LeftSession {
  readonly pid: number | null;
  readonly host: string | null;
}

/** The open sessions of a namespace whose process went away. Of processes on other hosts only the age tells. */
export async function leftSessions(memory: Memory, ns: number, isAlive: IsAlive): Promise<LeftSession[]> {
  const here = memory.holder();
  const rows = await memory.sql.all<OpenSessionRow>(
    `SELECT n.seq, n.id, n.content AS name, h.pid, h.host,
            max(n.recorded_at, coalesce(h.last_write_at, ''),
                coalesce((SELECT max(m.recorded_at) FROM mem_nodes AS m WHERE m.session = n.seq), '')) AS last_write_at
     FROM mem_nodes AS n LEFT JOIN mem_sessions AS h ON h.seq = n.seq
     WHERE n.seq >> 32 = $ns AND n.kind = 'session' AND n.valid_until IS NULL AND n.tombstoned = 0
     ORDER BY n.seq`,
    { ns },
  );
  const before = timestamp(memory.clock() - LEFT_AFTER_MS);
  return rows
    .filter(({ last_write_at, pid, host }) => {
      const held = pid !== null && host === here.host && isAlive(pid);
      return last_write_at <= before && !held;
    })
    .map(({ seq, id, name, last_write_at }) => ({ seq, id, name, last_write_at }));
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
