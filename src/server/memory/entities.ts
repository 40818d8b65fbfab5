/** Finds entities by name, and names them. */
import { oneLine } from '../base/text';
import type { Reader } from '../db/sql';
import { entityKey, isKeyOf, isNameOfCode } from './entity-keys';
import type { WritableMemory } from './memory';
import { STANDING } from './origins';
import { foldName } from './text/analyze';

export interface Entity {
  readonly seq: number;
  readonly id: string;
  /** Its own name and its aliases. */
  readonly names: readonly string[];
}

/** What is to be made of the names that no entity has: each key is one entity. @returns by key */
export function missingEntities(
  names: readonly string[],
  found: ReadonlyMap<string, Entity>,
): ReadonlyMap<string, string> {
  const missing = new Map<string, string>();
  for (const name of names) {
    const key = entityKey(name);
    if (!found.has(name) && !missing.has(key)) missing.set(key, oneLine(name));
  }
  return missing;
}

/**
 * How a name of code is compared. What is stored is about exactly what it names; who looks something up gets what is
 * spelled like that, else another spelling.
 */
export type Spelled = 'exactly' | 'alike';

/** The entities with these names, aliases or ids that are not tombstoned, by the name that was asked for. */
export async function findEntities(
  sql: Reader,
  ns: number,
  names: readonly string[],
  spelled: Spelled = 'alike',
): Promise<ReadonlyMap<string, Entity>> {
  if (names.length === 0) return new Map();
  const rows = await sql.all<FoundEntity>(foundEntities('$ns'), { ns, ...askedNames(names) });
  return entitiesOf(names, rows, spelled);
}

/**
 * A query of the entities with the names of `askedNames`, and of those that one with such an id was merged into.
 * @param ns as SQL
 */
export function foundEntities(ns: string): string {
  return `WITH RECURSIVE kept (i, seq, depth) AS (
     SELECT asked.key, n.seq, 0 FROM json_each($ids) AS asked CROSS JOIN mem_nodes AS n ON n.id = asked.value
     WHERE +(n.seq >> 32) = ${ns} AND n.kind = 'entity'
     UNION -- not ALL: in a circle each step would multiply the rows
     SELECT kept.i, e.src, kept.depth + 1 FROM kept
     CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = kept.seq WHERE kept.depth < ${MAX_MERGES})
   SELECT asked.key AS i, NULL AS depth, e.alias IS NOT NULL AND ${STANDING} = 'proposed' AS claimed, ${ENTITY_COLUMNS}
   FROM json_each($folded) AS asked
   CROSS JOIN mem_entity_names AS e ON e.ns = ${ns} AND ${isKeyOf('e.folded', 'asked.value')}
   CROSS JOIN mem_nodes AS n ON n.seq = e.entity AND n.tombstoned = 0
   UNION ALL
   SELECT kept.i, kept.depth, 0, ${ENTITY_COLUMNS} FROM kept CROSS JOIN mem_nodes AS n ON n.seq = kept.seq
   WHERE n.tombstoned = 0`;
}

/** What `foundEntities` binds. */
export function askedNames(names: readonly string[]): { readonly folded: string; readonly ids: string } {
  return {
    folded: JSON.stringify(names.map(foldName)),
    ids: JSON.stringify(names.map((name) => (ID_LIKE.test(name) ? name : null))),
  };
}

/**
 * By the name that was asked for. A name comes before an id, and of merged entities the one that was kept last counts. Of
 * several spellings of a name of code the exact one counts, then the oldest.
 */
export function entitiesOf(
  names: readonly string[],
  rows: readonly FoundEntity[],
  spelled: Spelled,
): ReadonlyMap<string, Entity> {
  const found = new Map<string, Entity>();
  const byId = rows.filter(({ depth }) => depth !== null).sort((a, b) => (a.depth ?? 0) - (b.depth ?? 0));
  for (const row of byId) found.set(names[row.i] ?? '', entityOf(row));
  // An alias that only a proposal claims leads nobody who stores.
  const isName = ({ depth, claimed }: FoundEntity): boolean => depth === null && (spelled === 'alike' || claimed === 0);
  const byName = rows.filter(isName).sort((a, b) => b.seq - a.seq);
  const exact = byName.filter((row) => entityOf(row).names.includes(oneLine(names[row.i] ?? '')));
  const others = spelled === 'alike' ? byName : byName.filter(({ i }) => !isNameOfCode(names[i] ?? ''));
  for (const row of [...others, ...exact]) found.set(names[row.i] ?? '', entityOf(row));
  return found;
}

/** An import keeps foreign ids: anything that could be one is looked up. */
const ID_LIKE = /^\S{1,64}$/;
const MAX_MERGES = 20;

/** A row of `foundEntities`. */
export interface FoundEntity {
  /** Which of the names was asked for. */
  readonly i: number;
  /** How often it was merged; null where it was found by name. */
  readonly depth: number | null;
  /** Found by an alias of an entity that only proposals name. */
  readonly claimed: 0 | 1;
  readonly seq: number;
  readonly id: string;
  readonly content: string;
  /** JSON array. */
  readonly aliases: string;
}

const ENTITY_COLUMNS = `n.seq, n.id, n.content,
  (SELECT json_group_array(alias) FROM main.mem_entity_names WHERE entity = n.seq AND alias IS NOT NULL) AS aliases`;

function entityOf({ seq, id, content, aliases }: FoundEntity): Entity {
  return { seq, id, names: [content, ...(JSON.parse(aliases) as string[])] };
}

export interface EntityName {
  /** Of `entityKey`. */
  readonly key: string;
  readonly entity: number;
  /** As it was written; null for the entity's own name. */
  readonly alias: string | null;
}

/** Gives names to entities. A name that another entity holds already goes to the new one. */
export async function nameEntities(memory: WritableMemory, ns: number, names: readonly EntityName[]): Promise<void> {
  await memory.sql.run(
    `INSERT OR REPLACE INTO mem_entity_names (ns, folded, entity, alias)
     SELECT $ns, value ->> 0, value ->> 1, value ->> 2 FROM json_each($names)`,
    { ns, names: JSON.stringify(names.map(({ key, entity, alias }) => [key, entity, alias])) },
  );
}
