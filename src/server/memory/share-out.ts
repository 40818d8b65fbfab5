/** Takes memories out of the store that stand in files from now on. */
import { conflict } from '../base/errors';
import { phrase } from '../base/phrase';
import { shownId } from '../base/shown';
import { requireOwnWord } from './foreign-turn';
import { forgetAll } from './forget';
import { operationOf } from './history/operations';
import type { WritableMemory } from './memory';
import { namespaceNumber } from './namespaces';

export interface SharedOut {
  readonly seq: number;
  readonly node_id: string;
  /** Ids of the shared memories whose place it takes. */
  readonly in_place_of: readonly string[];
  /** Hash of the text of its file. */
  readonly written: string;
}

/**
 * They are forgotten here, and read from their files; undoing brings them back.
 * @returns the number of the operation
 * @throws SvcError conflict when one was changed while its file was written
 */
export async function shareOut(memory: WritableMemory, nodes: readonly SharedOut[]): Promise<number> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  await requireOwnWord(memory, nodes);
  const open = await memory.sql.all<{ seq: number }>(
    `SELECT n.seq FROM json_each($seqs) AS asked CROSS JOIN mem_nodes AS n ON n.seq = asked.value
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL AND n.standing <> 'proposed'`,
    { ns, seqs: JSON.stringify(nodes.map(({ seq }) => seq)) },
  );
  const found = new Set(open.map(({ seq }) => seq));
  const changed = nodes.find(({ seq }) => !found.has(seq));
  if (changed)
    throw conflict(phrase`${shownId(changed.node_id)} was changed meanwhile`, 'Nothing was shared. Try again');
  await forgetAll(
    memory,
    ns,
    nodes.map(({ seq, in_place_of, written }) => ({
      seq,
      side: { written, ...(in_place_of.length === 0 ? {} : { in_place_of }) },
    })),
  );
  return operationOf(memory, ns);
}
