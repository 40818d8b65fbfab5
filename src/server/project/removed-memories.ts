/** Lists the shared memories whose files were removed here, for people who want one back. */
import { join } from 'node:path';
import { isThere } from '../base/paths';
import type { Memory } from '../memory/memory';
import type { NodeSummary } from '../memory/people/node-details';
import { readMemory } from '../shared/read-memory';
import { removals } from './kept-edits';
import type { Project } from './open';

interface Asked {
  readonly kinds: readonly NodeSummary['kind'][];
  /** Words that each of them has, in any order. */
  readonly letters: string;
}

/**
 * Those that stood in their files alone: the store, which lists what was forgotten in it, has nothing of them.
 * @returns as the last text of each file said, the last one to be removed first
 */
export async function removedMemories(
  project: Project,
  memory: Memory,
  { kinds, letters }: Asked,
): Promise<NodeSummary[]> {
  const { root } = project.place;
  if (root === undefined) return [];
  const removed = (await removals(project, memory)).filter(({ path }) => !isThere(join(root, path)));
  if (removed.length === 0) return [];
  const stored = await storedOf(memory, removed);
  const words = letters.toLowerCase().split(/\s+/u).filter(Boolean);
  return removed
    .flatMap(({ id, at, text }): NodeSummary[] => {
      const read = readMemory(text);
      if (stored.has(id) || !('memory' in read)) return [];
      const { kind, content, confidence, standing, valid_from = at, valid_until = null } = read.memory;
      const isWanted = kinds.length === 0 || kinds.includes(kind);
      const said = `${content} ${id}`.toLowerCase();
      if (!isWanted || !words.every((word) => said.includes(word))) return [];
      const { recorded_at = valid_from } = read.memory;
      const times = { recorded_at, valid_from, valid_until };
      return [
        { id, kind, content, confidence, ...times, tombstoned: 1, standing, session_id: null, marks: ['shared'] },
      ];
    })
    .toReversed();
}

/** Their ids, as far as the store has them. */
async function storedOf({ sql }: Memory, nodes: readonly { readonly id: string }[]): Promise<ReadonlySet<string>> {
  const rows = await sql.all<{ id: string }>(
    'SELECT id FROM mem_nodes WHERE id IN (SELECT value FROM json_each($ids))',
    { ids: JSON.stringify(nodes.map(({ id }) => id)) },
  );
  return new Set(rows.map(({ id }) => id));
}
