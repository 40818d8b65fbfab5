import type { WritableMemory } from './memory';

export type EdgeType = 'ABOUT' | 'SUPERSEDES' | 'OCCURRED_IN';

export interface Edge {
  readonly type: EdgeType;
  readonly src: number;
  readonly dst: number;
}

export async function insertEdges(memory: WritableMemory, edges: readonly Edge[]): Promise<void> {
  if (edges.length === 0) return;
  await memory.sql.run(
    `INSERT OR IGNORE INTO mem_edges (type, src, dst)
     SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($edges)`,
    { edges: JSON.stringify(edges.map(({ type, src, dst }) => [type, src, dst])) },
  );
}
