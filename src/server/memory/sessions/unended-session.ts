/** Finds a session that an agent has left open. */
import { timestamp } from '../../base/clock';
import type { Memory, WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { OpenSession } from './sessions';

const REMINDED = 'reminded-of-session';

/**
 * The newest open session of the active namespace that an agent stored something in lately, and nobody was reminded of.
 * @param people clients that people use: they end their sessions when they like
 */
export async function unendedSession(
  memory: Memory,
  people: readonly string[],
  withinMs: number,
): Promise<OpenSession | undefined> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const session = await memory.sql.get<OpenSession & { reminded: 0 | 1 }>(
    `SELECT n.seq, n.id, n.id IS (SELECT value FROM mem_flags WHERE name = '${REMINDED}') AS reminded
     FROM mem_nodes AS n JOIN mem_sessions AS s ON s.seq = n.seq
     WHERE n.seq >> 32 = $ns AND n.kind = 'session' AND n.tombstoned = 0 AND n.valid_until IS NULL
       AND s.last_write_at >= $since AND s.client NOT IN (SELECT value FROM json_each($people))
       AND s.principal IS $principal
       AND EXISTS (SELECT 1 FROM mem_nodes AS stored WHERE stored.session = n.seq AND stored.tombstoned = 0)
     ORDER BY s.last_write_at DESC LIMIT 1`,
    {
      ...{ ns, principal: memory.holder().principal },
      since: timestamp(memory.clock() - withinMs),
      people: JSON.stringify(people),
    },
  );
  return session?.reminded === 0 ? { seq: session.seq, id: session.id } : undefined;
}

/** One reminder for each session: a client that passes it over has decided. */
export async function noteReminded({ sql }: WritableMemory, session: OpenSession): Promise<void> {
  await sql.run(`INSERT OR REPLACE INTO mem_flags (name, value) VALUES ('${REMINDED}', $id)`, { id: session.id });
}
