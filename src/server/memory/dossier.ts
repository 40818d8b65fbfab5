/** What is known about one entity. */
import { VALID, validAt } from './clock-ahead';
import { markedWithCode } from './code/doubts-of-memories';
import { findEntities } from './entities';
import type { Memory } from './memory';
import { namespaceNumber } from './namespaces';
import { entityNames, nearest } from './nearest';
import { RANKED_COLUMNS, type RankedItem } from './recall/recall';

export interface Dossier {
  /** The entity's own name; undefined when there is no such entity. */
  readonly name: string | undefined;
  /** All currently valid memories about it, newest first. */
  readonly items: readonly RankedItem[];
  readonly asOf: string;
  /** Names like the one asked for, when there is no such entity, or nobody's memories are about it: none, or proposals alone. */
  readonly nearest: readonly string[];
}

/** @param entity name, alias or id */
export async function dossier(memory: Memory, entity: string, limit: number): Promise<Dossier> {
  const { sql } = memory;
  const ns = await namespaceNumber(sql, memory.scope.namespace);
  const at = validAt(memory, undefined);
  const { asOf } = at;
  const found = (await findEntities(sql, ns, [entity])).get(entity);
  const others = async (own: readonly string[]): Promise<string[]> =>
    nearest(
      entity,
      (await entityNames(memory, ns)).filter((name) => !own.includes(name)),
    );
  if (!found) return { name: undefined, items: [], asOf, nearest: await others([]) };
  const items = await sql.all<RankedItem>(
    `SELECT ${RANKED_COLUMNS} FROM mem_edges AS e JOIN mem_nodes AS n ON n.seq = e.src
     LEFT JOIN main.mem_nodes AS s ON s.seq = n.session
     WHERE e.type = 'ABOUT' AND e.dst = $entity AND +(n.seq >> 32) = $ns AND n.tombstoned = 0
       AND ${VALID}
     ORDER BY n.valid_from DESC, n.recorded_at DESC, n.seq DESC LIMIT $limit`,
    { entity: found.seq, ns, ...at, limit },
  );
  const isKept = items.some(({ standing }) => standing !== 'proposed');
  return {
    ...{ name: found.names[0], items: await markedWithCode(memory, items), asOf },
    nearest: isKept ? [] : await others(found.names),
  };
}
