/** What people call a session that nobody gave a name. */
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';

/** As `sessionForWriting` names the one that it opens. */
const NAMED_BY_US = /^.{1,500} session of \d{4}-\d\d-\d\d \d\d:\d\d$/s;

/**
 * What a session was about that nobody named: its first decision, or its first memory. Null for one that has a name, or
 * nothing in it. For `SELECT`s in which the session is `s`.
 */
export function topicOf(s: string): string {
  return `iif(${s}.content GLOB '* session of [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]',
    (SELECT m.content FROM mem_nodes AS m
     WHERE m.session = ${s}.seq AND m.kind NOT IN (${STRUCTURAL_KINDS_SQL}) AND m.standing <> 'proposed' AND m.tombstoned = 0
     ORDER BY m.kind = 'decision' DESC, m.seq LIMIT 1), NULL)`;
}

/** For each session that nobody named, the first memory in it; proposed and forgotten ones say nothing of it. */
export async function firstMemories(
  { sql, scope }: Memory,
  sessions: readonly { readonly id: string; readonly content: string }[],
): Promise<ReadonlyMap<string, string>> {
  const unnamed = sessions.filter(({ content }) => NAMED_BY_US.test(content)).map(({ id }) => id);
  if (unnamed.length === 0) return new Map();
  const ns = await namespaceNumber(sql, scope.namespace);
  const rows = await sql.all<{ id: string; content: string | null }>(
    `SELECT s.id, (SELECT n.content FROM mem_nodes AS n
       WHERE n.session = s.seq AND n.tombstoned = 0 AND n.standing <> 'proposed' ORDER BY n.seq LIMIT 1) AS content
     FROM json_each($ids) AS asked CROSS JOIN mem_nodes AS s ON s.id = asked.value
     WHERE +(s.seq >> 32) = $ns`,
    { ns, ids: JSON.stringify(unnamed) },
  );
  return new Map(rows.flatMap(({ id, content }) => (content === null ? [] : [[id, content] as const])));
}
