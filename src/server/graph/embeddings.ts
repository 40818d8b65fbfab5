/** Stores the vectors of a local model. */
import type { Database, Reader } from '../db/sql';

/** The one file that writes and reads the vectors that a model on this machine has made. */

/** @returns the vectors that are there already, by the hash of their text */
export async function storedVectors(
  sql: Reader,
  model: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.all<{ text_hash: string; vector: string }>(
    `SELECT text_hash, vector FROM json_each($hashes) AS asked
     CROSS JOIN graph_embeddings AS e ON e.model = $model AND e.text_hash = asked.value`,
    { model, hashes: JSON.stringify(hashes) },
  );
  return new Map(rows.map((row) => [row.text_hash, row.vector]));
}

export function writeVectors(
  graph: Database,
  model: string,
  vectors: readonly (readonly [hash: string, vector: string])[],
): Promise<number> {
  return graph.transact((sql) =>
    sql.run(
      `INSERT OR REPLACE INTO graph_embeddings SELECT $model, value ->> 0, value ->> 1 FROM json_each($vectors)`,
      { model, vectors: JSON.stringify(vectors) },
    ),
  );
}
