/** Writes edges between nodes. */
import type { Statement, Writer } from '../db/sql';

export type EdgeType = 'ABOUT' | 'SUPERSEDES' | 'OCCURRED_IN';

export interface Edge {
  readonly type: EdgeType;
  readonly src: number;
  readonly dst: number;
}

export const EDGE_COLUMNS = 'type, src, dst';

export async function insertEdges(sql: Writer, edges: readonly Edge[], table = 'mem_edges'): Promise<void> {
  if (edges.length > 0) await sql.batch([edgesStatement(edges, table)]);
}

export function edgesStatement(edges: readonly Edge[], table = 'mem_edges'): Statement {
  return {
    sql: `INSERT OR IGNORE INTO ${table} (${EDGE_COLUMNS})
          SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($edges)`,
    parameters: { edges: JSON.stringify(edges.map(({ type, src, dst }) => [type, src, dst])) },
  };
}

/**
 * Whether one node superseded another, where an edge says so. One that waits closes only what waits as well; one that is
 * taken back closes nothing.
 * @param node as both are called in the statement
 */
export const isSuperseded = (node: string, newer: string): string =>
  `${node}.valid_until IS NOT NULL AND (${newer}.standing <> 'proposed' OR ${node}.standing = 'proposed')`;
