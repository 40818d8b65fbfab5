/** What is known about one entity. */
import type { Reader } from '../db/sql';
import { VALID, type ValidAt, validAt } from './clock-ahead';
import { markedWithCode } from './code/doubts-of-memories';
import { findEntities } from './entities';
import { isProposal } from './layers';
import type { Memory } from './memory';
import { namespaceNumber } from './namespaces';
import { entityNames, MAX_NEAREST, nearest } from './nearest';
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

/** Names that are looked at for the nearest: most of the first may be empty, too. */
const MOST_LOOKED_AT = 12;

/** @param entity name, alias or id */
export async function dossier(memory: Memory, entity: string, limit: number): Promise<Dossier> {
  const { sql } = memory;
  const ns = await namespaceNumber(sql, memory.scope.namespace);
  const at = validAt(memory, undefined);
  const { asOf } = at;
  const found = (await findEntities(sql, ns, [entity])).get(entity);
  if (!found) return { name: undefined, items: [], asOf, nearest: nearest(entity, await entityNames(memory, ns)) };
  const items = await sql.all<RankedItem>(
    `SELECT ${RANKED_COLUMNS} FROM mem_edges AS e JOIN mem_nodes AS n ON n.seq = e.src
     LEFT JOIN main.mem_nodes AS s ON s.seq = n.session
     WHERE e.type = 'ABOUT' AND e.dst = $entity AND +(n.seq >> 32) = $ns AND n.tombstoned = 0
       AND ${VALID}
     ORDER BY n.valid_from DESC, n.recorded_at DESC, n.seq DESC LIMIT $limit`,
    { entity: found.seq, ns, ...at, limit },
  );
  const isKept = ({ id, standing }: RankedItem): boolean => standing !== 'proposed' || memory.shared.has(id);
  const isKnown = items.some(isKept) || (await keptAbout(sql, [found.seq], at)).size > 0;
  return {
    ...{ name: found.names[0], items: await markedWithCode(memory, items), asOf },
    nearest: isKnown ? [] : await nearestKnown(memory, ns, entity, found.names, at),
  };
}

/** The names most like it of what something valid is about that is no proposal. @param own its own names */
async function nearestKnown(
  memory: Memory,
  ns: number,
  entity: string,
  own: readonly string[],
  at: ValidAt,
): Promise<string[]> {
  const names = (await entityNames(memory, ns)).filter((name) => !own.includes(name));
  const like = nearest(entity, names, MOST_LOOKED_AT);
  const entities = await findEntities(memory.sql, ns, like, 'exactly');
  const known = await keptAbout(
    memory.sql,
    [...entities.values()].map(({ seq }) => seq),
    at,
  );
  return like.filter((name) => known.has(entities.get(name)?.seq ?? -1)).slice(0, MAX_NEAREST);
}

/** Of these entities, by number, those that something valid is about that is no proposal. */
async function keptAbout(sql: Reader, entities: readonly number[], at: ValidAt): Promise<ReadonlySet<number>> {
  const rows = await sql.all<{ entity: number }>(
    `SELECT asked.value AS entity FROM json_each($entities) AS asked WHERE EXISTS (
       SELECT 1 FROM mem_edges AS e CROSS JOIN mem_nodes AS n ON n.seq = e.src
       WHERE e.type = 'ABOUT' AND e.dst = asked.value AND n.tombstoned = 0 AND ${VALID} AND NOT ${isProposal('n')})`,
    { entities: JSON.stringify(entities), ...at },
  );
  return new Set(rows.map(({ entity }) => entity));
}
