/** What an undoing took back, or did again. */
import { KINDS, STRUCTURAL_KINDS } from '../../../kinds/kinds';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { type Action, callOf } from './operations';
import { changedNodes, sideOf, type Undone } from './undo';
import { undoneShare } from './undone-share';

export interface TakenBack {
  /** What had been done first. */
  readonly did: Action;
  /** It was taken back before, and stands again. */
  readonly isAgain: boolean;
  /** Ids of the memories; of the session that was ended, and of sessions where there are no memories. */
  readonly ids: readonly string[];
}

export async function takenBack(
  memory: Memory,
  { operation, node_ids }: Readonly<Pick<Undone, 'operation'>> & { readonly node_ids: readonly string[] },
): Promise<TakenBack> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  // An operation takes back only one before it.
  const chain = await memory.sql.all<{ id: number; tool: string }>(
    `WITH RECURSIVE chain (id, undoes, tool) AS (
       SELECT id, undoes, tool FROM mem_operations WHERE id = $operation AND ns = $ns
       UNION ALL SELECT o.id, o.undoes, o.tool FROM chain JOIN mem_operations AS o ON o.id = chain.undoes
       WHERE o.ns = $ns AND o.id < chain.id)
     SELECT id, tool FROM chain ORDER BY id`,
    { operation, ns },
  );
  const [first] = chain;
  const isAgain = chain.length % 2 === 1;
  const changed = first ? await changedNodes(memory, ns, first.id) : [];
  const did = callOf(first?.tool ?? null, changed);
  // What took the place of a memory is the same one, in other words.
  const newer = new Set(did === 'store' ? [] : changed.map((node) => sideOf(node)?.superseded_by));
  const ids = node_ids.filter((id) => !newer.has(id));
  const share = await undoneShare(memory.sql, operation);
  // What was stored in place of a shared memory is that one, in other words.
  const replaced = share?.nodes.flatMap(({ in_place_of }) => in_place_of) ?? [];
  if (replaced.length > 0)
    return { did: 'supersede', isAgain, ids: isAgain ? ids.filter((id) => !replaced.includes(id)) : replaced };
  const isStructural = (id: string): boolean => STRUCTURAL_KINDS.some((kind) => id.startsWith(KINDS[kind].prefix));
  // What a session came to is stored when it ends.
  const meant = ids.filter((id) => isStructural(id) === (did === 'end'));
  return { did, isAgain, ids: meant.length > 0 ? meant : ids };
}
