/** What an agent may not do after it has read foreign text. */
import { unavailable } from '../base/errors';
import { bareParameter, phrase, tool } from '../base/phrase';
import type { Memory } from './memory';
import type { Standing } from './origins';

/**
 * What it stores waits for a person; what it closes or forgets would be gone before anybody looked. Proposals take nothing
 * along: docs/behaviour.md, "Proposals".
 * @param nodes that are to be closed or forgotten
 * @throws SvcError unavailable
 */
export async function requireOwnWord(memory: Memory, nodes: readonly { readonly seq: number }[]): Promise<void> {
  if (nodes.length === 0 || memory.holder().by === 'person' || !memory.keeping().marked) return;
  const standing = await memory.sql.get<{ standing: Standing }>(
    `SELECT n.standing FROM json_each($seqs) AS one CROSS JOIN mem_nodes AS n ON n.seq = one.value
     WHERE n.standing <> 'proposed' AND n.tombstoned = 0 LIMIT 1`,
    { seqs: JSON.stringify(nodes.map(({ seq }) => seq)) },
  );
  if (!standing) return;
  throw unavailable(
    'Foreign text (a web page, an issue, a file of a dependency) was read since the user spoke last, so nothing that stands is closed or forgotten now',
    phrase`Store what is right with ${tool('memory_store')} and ${bareParameter('supersedes')}: it waits for a person. Or ask the user, and call again after their answer`,
  );
}
