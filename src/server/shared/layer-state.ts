/** What the file of shared memories says beside its rows of memories. */
import type { Reader, Writer } from '../db/sql';
import { insertEdges } from '../memory/edges';
import { OWN_LAYER, SHARED_NAMESPACE } from '../memory/layers';

/** What all processes agree on: how often the rows were written, and for which code graph names were looked up. */
export interface State {
  readonly revision: number;
  readonly code: string;
}

/** Row numbers of the store by id. */
export async function ownRows(own: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await own.all<{ id: string; seq: number }>(
    `SELECT n.id, n.seq FROM json_each($ids) AS asked CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.id = asked.value
     WHERE +(n.seq >> 32) = ${SHARED_NAMESPACE}`,
    { ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}

/** Rows of the store in whose place shared ones are. */
export async function writePairs(
  sql: Writer,
  pairs: readonly (readonly [own: number, shared: number])[],
): Promise<void> {
  await sql.run(
    'INSERT OR IGNORE INTO mem_kept_pairs (one, other) SELECT value ->> 0, value ->> 1 FROM json_each($pairs)',
    { pairs: JSON.stringify(pairs) },
  );
}

export async function dropPairs(
  sql: Writer,
  pairs: readonly (readonly [own: number, shared: number])[],
): Promise<void> {
  await sql.run(
    `DELETE FROM mem_kept_pairs WHERE EXISTS (
       SELECT 1 FROM json_each($pairs) WHERE value ->> 0 = mem_kept_pairs.one AND value ->> 1 = mem_kept_pairs.other)`,
    { pairs: JSON.stringify(pairs) },
  );
}

/** The session of the store that a shared memory was stored in: no file tells it. */
export async function placeInSessions(
  sql: Writer,
  places: readonly (readonly [shared: number, session: number | null])[],
): Promise<void> {
  await sql.run(
    `UPDATE mem_nodes SET session = place.value ->> 1 FROM json_each($places) AS place
     WHERE mem_nodes.seq = place.value ->> 0`,
    { places: JSON.stringify(places) },
  );
}

export async function writeSuperseding(
  sql: Writer,
  edges: readonly (readonly [number, number])[],
  until: ReadonlyMap<number, string>,
): Promise<void> {
  await sql.run(`DELETE FROM mem_edges WHERE type = 'SUPERSEDES'`);
  await insertEdges(
    sql,
    edges.map(([src, dst]) => ({ type: 'SUPERSEDES', src, dst })),
  );
  const ends = { ends: JSON.stringify([...until]) };
  await sql.run(
    `UPDATE mem_nodes SET valid_until = NULL
     WHERE valid_until IS NOT NULL AND seq NOT IN (SELECT value ->> 0 FROM json_each($ends))`,
    ends,
  );
  await sql.run(
    `UPDATE mem_nodes SET valid_until = closed.value ->> 1 FROM json_each($ends) AS closed
     WHERE mem_nodes.seq = closed.value ->> 0`,
    ends,
  );
}

export async function readState(sql: Reader): Promise<State> {
  const rows = await sql.all<{ name: string; value: string }>(
    `SELECT name, value FROM mem_flags WHERE name IN ('revision', 'code')`,
  );
  const flags = new Map(rows.map(({ name, value }) => [name, value]));
  return { revision: Number(flags.get('revision') ?? 0), code: flags.get('code') ?? '' };
}

export async function writeState(sql: Writer, { revision, code }: State): Promise<void> {
  await sql.run(`INSERT OR REPLACE INTO mem_flags (name, value) VALUES ('revision', $revision), ('code', $code)`, {
    revision: String(revision),
    code,
  });
}
