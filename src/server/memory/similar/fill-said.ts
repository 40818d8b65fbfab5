/** Gives what an older program stored the number by which it is found when it is said again. */
import type { Database } from '../../db/sql';
import { READ_BATCH } from '../limits';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';
import { saidKey } from './said';

/** Of `mem_flags`: the migration has found memories. It goes when all of them have their number. */
const UNSAID = 'unsaid';

/** In pieces that let others write between them; what a killed process left undone is done at the next opening. */
export async function fillSaid(database: Database): Promise<void> {
  if (!(await database.get('SELECT 1 FROM mem_flags WHERE name = $name', { name: UNSAID }))) return;
  for (let after = 0; ; ) {
    const rows = await database.all<{ seq: number; content: string }>(
      `SELECT seq, content FROM mem_nodes
       WHERE seq > CAST($after AS INTEGER) AND said IS NULL AND kind NOT IN (${STRUCTURAL_KINDS_SQL})
       ORDER BY seq LIMIT $limit`,
      { after, limit: READ_BATCH },
    );
    const last = rows.at(-1);
    const keys = JSON.stringify(rows.map(({ seq, content }) => [seq, saidKey(content)]));
    await database.transact((sql) =>
      last
        ? // Somebody may have purged one meanwhile, and its number be given out again: to a row that has its key.
          sql.run(
            `UPDATE mem_nodes SET said = one.value ->> 1 FROM json_each($keys) AS one
             WHERE mem_nodes.seq = one.value ->> 0 AND said IS NULL AND kind NOT IN (${STRUCTURAL_KINDS_SQL})`,
            { keys },
          )
        : sql.run('DELETE FROM mem_flags WHERE name = $name', { name: UNSAID }),
    );
    if (!last) return;
    after = last.seq;
  }
}
