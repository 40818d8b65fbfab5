/** Finds what a new memory may replace. */
import type { MatchedNames } from '../code/touches';
import type { Memory } from '../memory';
import type { NewMemory } from '../remember';
import { findNear } from './find-near';
import { findOpposed } from './find-opposed';
import type { Similar } from './similar';

const MOST_SIMILAR = 3;

/**
 * Open memories that the new one may replace, at most three: decisions that are opposed to it, then near ones. What the call
 * names in `supersedes` is no news.
 */
export async function findSimilar(memory: Memory, input: NewMemory, matched: MatchedNames): Promise<Similar[]> {
  const placed = { ...input, namespace: input.namespace ?? memory.scope.namespace };
  const symbols = [...matched.values()].flat();
  const [opposed, near] = await Promise.all([
    input.kind === 'decision' ? findOpposed(memory, placed, symbols) : [],
    findNear(memory, placed),
  ]);
  const relations = new Map<string, Similar['relation']>([
    ...near.map((id) => [id, 'near'] as const),
    ...opposed.map((id) => [id, 'supersedes?'] as const),
  ]);
  return [...new Set([...opposed, ...near])]
    .filter((id) => id !== input.supersedes)
    .slice(0, MOST_SIMILAR)
    .map((node_id) => ({ node_id, relation: relations.get(node_id) ?? 'near' }));
}
