import type { Writer } from '../db/sql';

/** Adds to the use counters of memories and keeps the sizes of their lines. Pairs of [seq, value]. */
export async function noteUses(
  sql: Writer,
  uses: readonly (readonly [number, number])[],
  sizes: readonly (readonly [number, number])[],
): Promise<void> {
  if (uses.length > 0) {
    await sql.run(
      `UPDATE mem_nodes SET uses = uses + u.value ->> 1
       FROM json_each($uses) AS u WHERE seq = u.value ->> 0`,
      { uses: JSON.stringify(uses) },
    );
  }
  if (sizes.length > 0) {
    await sql.run(
      `UPDATE mem_nodes SET tokens = s.value ->> 1
       FROM json_each($sizes) AS s WHERE seq = s.value ->> 0`,
      { sizes: JSON.stringify(sizes) },
    );
  }
}
