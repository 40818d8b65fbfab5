/** Counts how often memories are given out. */
import type { Writer } from '../db/sql';

/** How often a memory was given out since the last note, and how large its line is, when it was measured. */
export interface NodeUse {
  readonly seq: number;
  readonly id: string;
  readonly uses: number;
  readonly size: number | null;
}

/** Adds to the use counters of memories and keeps the sizes of their lines. */
export async function noteUses(sql: Writer, noted: readonly NodeUse[]): Promise<void> {
  await sql.run(
    `UPDATE mem_nodes SET uses = uses + (note.value ->> 2), tokens = coalesce(note.value ->> 3, tokens)
     FROM json_each($noted) AS note WHERE mem_nodes.seq = note.value ->> 0 AND mem_nodes.id = note.value ->> 1`,
    { noted: JSON.stringify(noted.map(({ seq, id, uses, size }) => [seq, id, uses, size])) },
  );
}
