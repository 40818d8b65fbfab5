/** What an agent may not do after it has read foreign text. */
import { unavailable } from '../base/errors';
import { bareParameter, phrase, tool } from '../base/phrase';
import type { Memory } from './memory';
import type { Standing } from './origins';

const READ = 'Foreign text (a web page, an issue, a file of a dependency) was read since the user spoke last';
const isFree = (memory: Memory): boolean => memory.holder().by === 'person' || !memory.keeping().marked;

/**
 * An undo would bring back what a person refuted, dropped or forgot, and take away what one kept. An agent takes back its own
 * proposals alone.
 * @throws SvcError unavailable
 */
export async function requireOwnProposals(memory: Memory, nodes: readonly { readonly seq: number }[]): Promise<void> {
  if (isFree(memory)) return;
  const other = await memory.sql.get(
    `SELECT n.seq FROM json_each($seqs) AS one CROSS JOIN mem_nodes AS n ON n.seq = one.value
     WHERE n.standing <> 'proposed' OR n.tombstoned = 1 LIMIT 1`,
    { seqs: seqsOf(nodes) },
  );
  if (!other) return;
  throw unavailable(
    `${READ}, so nothing but proposals is taken back, and nothing brought back, now`,
    'Ask the user, and call again after their answer',
  );
}

/** What is taken back, or brought back, in a file is nobody's proposal. @throws SvcError unavailable */
export function requireNothingForeign(memory: Memory): void {
  if (isFree(memory)) return;
  throw unavailable(
    `${READ}, so nothing is taken back, or brought back, in a file of the repository now`,
    'Ask the user, and call again after their answer',
  );
}

const seqsOf = (nodes: readonly { readonly seq: number }[]): string => JSON.stringify(nodes.map(({ seq }) => seq));
/**
 * What it stores waits for a person; what it closes or forgets would be gone before anybody looked. Proposals take nothing
 * along: docs/behaviour.md, "Proposals".
 * @param nodes that are to be confirmed, closed or forgotten
 * @throws SvcError unavailable
 */
export async function requireOwnWord(memory: Memory, nodes: readonly { readonly seq: number }[]): Promise<void> {
  if (nodes.length === 0 || isFree(memory)) return;
  const standing = await memory.sql.get<{ standing: Standing }>(
    `SELECT n.standing FROM json_each($seqs) AS one CROSS JOIN mem_nodes AS n ON n.seq = one.value
     WHERE n.standing <> 'proposed' AND n.tombstoned = 0 LIMIT 1`,
    { seqs: seqsOf(nodes) },
  );
  if (!standing) return;
  throw unavailable(
    `${READ}, so nothing that stands is confirmed, closed, forgotten or put on other code now`,
    phrase`Store what is right with ${tool('memory_store')} and ${bareParameter('supersedes')}: it waits for a person. Or ask the user, and call again after their answer`,
  );
}
