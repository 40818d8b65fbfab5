/** Stores a memory. */

import type { MemoryKind } from '../../kinds/kinds';
import { timestamp } from '../base/clock';
import { seen } from '../base/text';
import { closeSupersededNodes } from './close-superseded-nodes';
import { linkTouches, type MatchedNames } from './code/touches';
import { insertEdges } from './edges';
import { resolveEntities } from './entities';
import { recordStored } from './history/operations';
import type { WritableMemory } from './memory';
import { insertNodes, openMemory } from './nodes';
import { enterNamespace, namedSession, sessionForWriting, touchSession } from './sessions/sessions';

export interface NewMemory {
  readonly content: string;
  readonly kind: MemoryKind;
  readonly entities: readonly string[];
  readonly confidence: number;
  /** In our own 24-character form; now when absent. */
  readonly valid_from: string | undefined;
  readonly supersedes: string | undefined;
  readonly session_id: string | undefined;
  readonly rationale: string | undefined;
  readonly alternatives_rejected: readonly string[];
  readonly namespace: string | undefined;
}

export interface Remembered {
  readonly node_id: string;
  readonly linked_entity_ids: string[];
  readonly created_entity_ids: string[];
}

/**
 * Stores a memory, links its entities and symbols, and closes what it supersedes.
 * @param matched the code that the names of its entities stand for, as far as that was looked for before the transaction
 * @throws SvcError not_found or conflict for `supersedes` and `session_id`; then nothing is written
 */
export async function remember(memory: WritableMemory, input: NewMemory, matched?: MatchedNames): Promise<Remembered> {
  const ns = await enterNamespace(memory, input.namespace);
  const superseded =
    input.supersedes === undefined ? undefined : await openMemory(memory.sql, ns, input.supersedes, 'supersedes');
  const session =
    input.session_id === undefined
      ? await sessionForWriting(memory, ns)
      : await namedSession(memory, ns, input.session_id);
  const entities = await resolveEntities(memory, ns, input.entities);
  const about = [...new Map([...entities.byName.values()].map((entity) => [entity.seq, entity])).values()];
  const validFrom = input.valid_from ?? timestamp(memory.clock());
  const [node] = await insertNodes(memory, ns, [
    {
      kind: input.kind,
      content: input.content,
      confidence: input.confidence,
      valid_from: validFrom,
      rationale: input.rationale,
      alternatives_rejected: input.alternatives_rejected,
      session: session.seq,
      names: about.flatMap((entity) => entity.names),
    },
  ]);
  if (!node) throw new Error('inserting one node returned none');

  await insertEdges(memory.sql, [
    ...about.map((entity) => ({ type: 'ABOUT' as const, src: node.seq, dst: entity.seq })),
    ...(superseded ? [{ type: 'SUPERSEDES' as const, src: node.seq, dst: superseded.seq }] : []),
  ]);
  if (superseded) await closeSupersededNodes(memory, ns, [{ seq: superseded.seq, by: node.seq, validFrom }]);
  await recordStored(memory, ns, node.seq, node.seq);
  // As they were written here (`name()`), and as the entities are called.
  const names = [...new Set([...input.entities.map(seen), ...about.flatMap((entity) => entity.names)])];
  await linkTouches(memory, [{ seq: node.seq, names }], matched);
  await touchSession(memory, session.seq);
  return {
    node_id: node.id,
    linked_entity_ids: about.map((entity) => entity.id),
    created_entity_ids: [...entities.created],
  };
}
