/** Writes a few nodes whose place in the store is known already. */
import type { WritableMemory } from './memory';
import {
  drawId,
  type InsertedNode,
  insertTerms,
  type NewNode,
  NODE_VALUES,
  type Numbering,
  prepareBatch,
} from './nodes';

/**
 * Writes nodes and their full-text entries in two statements: the one that writes the rows tells whether an id is taken,
 * and only those are drawn again.
 * @param nodes at most as many as one batch of an import
 */
export async function insertFewNodes(
  memory: WritableMemory,
  numbering: Omit<Numbering, 'ids'>,
  nodes: readonly NewNode[],
): Promise<InsertedNode[]> {
  const drawn = new Set<string>();
  const ids = nodes.map(({ kind }) => drawId(memory, kind, drawn));
  const { rows, terms } = await prepareBatch({ ...numbering, ids }, nodes, 0);
  let open = rows.map(([seq, , ...values], i) => ({ seq: Number(seq), id: ids[i] ?? '', values, i }));
  const inserted: InsertedNode[] = open.map(({ seq, id }) => ({ seq, id }));
  for (;;) {
    const written = await insertRows(
      memory,
      open.map(({ seq, id, values }) => [seq, id, ...values]),
    );
    open = open.filter(({ seq }) => !written.has(seq));
    if (open.length === 0) break;
    open = open.map((row) => ({ ...row, id: drawId(memory, nodes[row.i]?.kind ?? 'fact', drawn) }));
    for (const { seq, id, i } of open) inserted[i] = { seq, id };
  }
  await insertTerms(memory.sql, terms);
  return inserted;
}

/** @returns the row numbers of those whose id was free */
async function insertRows({ sql }: WritableMemory, rows: readonly (readonly unknown[])[]): Promise<Set<number>> {
  const written = await sql.all<{ seq: number }>(
    `INSERT INTO mem_nodes (${NODE_VALUES})
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
            value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15
     FROM json_each($rows) WHERE true ON CONFLICT (id) DO NOTHING RETURNING seq`,
    { rows: JSON.stringify(rows) },
  );
  return new Set(written.map(({ seq }) => seq));
}
