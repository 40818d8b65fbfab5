/** Finds the shared memory that says the same already: no transaction of the store sees it. */
import { findNamed } from '../before-remembering';
import { layersOf } from '../layers';
import type { Memory } from '../memory';
import { arrivalOf } from '../origins';
import { isSaidOnce, type NewMemory, type Remembered } from '../remember';
import { storable } from '../text/search-terms';
import { findSame } from './find-same';
import { saidKey } from './said';
import { missing } from './store-again';

/**
 * What storing answers where a file of the repository says all of it. What a stranger shares, and what lacks the reasons that
 * are given now, keeps nothing from being stored.
 */
export async function findShared(memory: Memory, input: NewMemory): Promise<Remembered | undefined> {
  const { sql, scope, shared } = memory;
  if (!isSaidOnce(input) || shared.foreign || layersOf(sql).length === 1) return undefined;
  const { origin, standing } = arrivalOf(memory);
  const named = await findNamed(memory, {
    namespace: input.namespace ?? scope.namespace,
    session: undefined,
    supersedes: undefined,
    entities: input.entities,
    origin,
    said: saidKey(storable(input.content)),
  });
  const same = named.isSaid
    ? await findSame(memory, named, { ...input, proposed: standing === 'proposed' })
    : undefined;
  if (!same || !shared.has(same.id) || missing(same, input)) return undefined;
  return {
    node_id: same.id,
    linked_entity_ids: [...new Set(input.entities.flatMap((name) => named.entities.get(name)?.id ?? []))],
    created_entity_ids: [],
    similar: [{ node_id: same.id, relation: 'same' }],
  };
}
