import type { WritableMemory } from './memory';
import { listNamespaces, namespaceNumber } from './namespaces';
import { linkTouches } from './touches';

/** Memories are linked in portions of this many, so that no list grows with the store. */
const PORTION = 2_000;

/**
 * Links memories that were stored before their code was known, in all namespaces, by the names of the entities that
 * they are about. Those already linked to a symbol keep the hash that they have.
 * @returns how many links were new
 */
export async function linkOlderMemories(memory: WritableMemory): Promise<number> {
  let linked = 0;
  for (const name of await listNamespaces(memory.sql)) {
    const ns = await namespaceNumber(memory.sql, name);
    const before = await countTouches(memory, ns);
    let after = 0;
    for (;;) {
      const rows = await memory.sql.all<{ seq: number; names: string }>(
        `SELECT n.seq, json_group_array(coalesce(m.alias, e.content)) AS names
         FROM (SELECT seq FROM mem_nodes
               WHERE seq > max($after, $ns << 32) AND seq < ($ns + 1) << 32
                 AND tombstoned = 0 AND valid_until IS NULL AND kind NOT IN ('entity', 'session')
               ORDER BY seq LIMIT $portion) AS n
         LEFT JOIN mem_edges AS about ON about.type = 'ABOUT' AND about.src = n.seq
         LEFT JOIN mem_nodes AS e ON e.seq = about.dst
         LEFT JOIN mem_entity_names AS m ON m.entity = e.seq
         GROUP BY n.seq ORDER BY n.seq`,
        { ns, after, portion: PORTION },
      );
      // A memory that is about nothing has one row without a name.
      const nodes = rows.map(({ seq, names }) => ({
        seq,
        names: (JSON.parse(names) as (string | null)[]).filter((one) => one !== null),
      }));
      await linkTouches(memory, nodes);
      if (rows.length < PORTION) break;
      after = rows.at(-1)?.seq ?? after;
    }
    linked += (await countTouches(memory, ns)) - before;
  }
  return linked;
}

async function countTouches(memory: WritableMemory, ns: number): Promise<number> {
  const row = await memory.sql.get<{ count: number }>(
    'SELECT count(*) AS count FROM mem_touches WHERE node >= $ns << 32 AND node < ($ns + 1) << 32',
    { ns },
  );
  return row?.count ?? 0;
}
