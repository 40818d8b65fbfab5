/** What people call a session that nobody gave a name. */
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';

/** In characters: it stands for a name, and goes out with every state of a folder. */
const MAX_TOPIC = 200;

/**
 * What a session was about that nobody named: its first decision, or its first memory. Null for one that has a name, or
 * nothing in it.
 * @param s the alias of the session in the SELECT
 */
export function topicOf(s: string): string {
  return `iif(${isUnnamed(s)},
    (SELECT iif(length(content) > ${MAX_TOPIC}, substr(content, 1, ${MAX_TOPIC - 1}) || '…', content) FROM (
       SELECT m.content, m.kind, m.recorded_at, m.seq FROM mem_nodes AS m
       WHERE m.session = ${s}.seq AND m.kind NOT IN (${STRUCTURAL_KINDS_SQL}) AND m.standing <> 'proposed' AND m.tombstoned = 0
       LIMIT -1)
     ORDER BY kind = 'decision' DESC, recorded_at, seq LIMIT 1), NULL)`;
}

/** SQL that is true of a session that a write has opened by itself. @param s its alias */
export function isUnnamed(s: string): string {
  return `(${s}.content GLOB '* session of [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]')`;
}

/** The same for these sessions, by their ids. */
export async function topicsOf(
  { sql, scope }: Memory,
  sessions: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ns = await namespaceNumber(sql, scope.namespace);
  const rows = await sql.all<{ id: string; topic: string | null }>(
    `SELECT s.id, ${topicOf('s')} AS topic
     FROM json_each($ids) AS asked CROSS JOIN main.mem_nodes AS s ON s.id = asked.value
     WHERE +(s.seq >> 32) = $ns`,
    { ns, ids: JSON.stringify(sessions.map(({ id }) => id)) },
  );
  return new Map(rows.flatMap(({ id, topic }) => (topic === null ? [] : [[id, topic] as const])));
}
