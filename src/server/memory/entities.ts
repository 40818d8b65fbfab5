/** Finds entities by name, and makes those that are missing. */
import { timestamp } from '../base/clock';
import { oneLine } from '../base/text';
import type { Reader } from '../db/sql';
import type { WritableMemory } from './memory';
import { insertNodes } from './nodes';
import { foldName } from './text/analyze';

export interface Entity {
  readonly seq: number;
  readonly id: string;
  /** Its own name and its aliases. */
  readonly names: readonly string[];
}

export interface EntityResolution {
  /** Every name that was asked for, as it was written → its entity. */
  readonly byName: ReadonlyMap<string, Entity>;
  /** Ids of the entities that had to be created, in the order of their first mention. */
  readonly created: readonly string[];
}

/** Finds entities by name, alias or id, without regard to case; creates those that are missing. */
export async function resolveEntities(
  memory: WritableMemory,
  ns: number,
  names: readonly string[],
): Promise<EntityResolution> {
  const wanted = [...new Set(names)];
  const byName = new Map<string, Entity>(await findEntities(memory.sql, ns, wanted));
  const missing = new Map<string, string>();
  for (const name of wanted) {
    if (!byName.has(name) && !missing.has(foldName(name))) missing.set(foldName(name), name);
  }
  if (missing.size === 0) return { byName, created: [] };

  const now = timestamp(memory.clock());
  const fresh = [...missing];
  const inserted = await insertNodes(
    memory,
    ns,
    fresh.map(([, name]) => ({ kind: 'entity', content: oneLine(name), confidence: 1, valid_from: now })),
  );
  const byFolded = new Map<string, Entity>();
  for (const [i, { seq, id }] of inserted.entries()) {
    const [folded, name] = fresh[i] ?? ['', ''];
    byFolded.set(folded, { seq, id, names: [oneLine(name)] });
  }
  await nameEntities(
    memory,
    ns,
    [...byFolded].map(([folded, entity]) => ({ folded, entity: entity.seq, alias: null })),
  );
  for (const name of wanted) {
    const entity = byFolded.get(foldName(name));
    if (entity && !byName.has(name)) byName.set(name, entity);
  }
  return { byName, created: inserted.map((entity) => entity.id) };
}

/** The entities with these names, aliases or ids that are not tombstoned, by the name that was asked for. */
export async function findEntities(
  sql: Reader,
  ns: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, Entity>> {
  const found = new Map<string, Entity>();
  if (names.length === 0) return found;
  const rows = await sql.all<FoundEntity & { i: number }>(
    `SELECT asked.key AS i, ${ENTITY_COLUMNS} FROM json_each($folded) AS asked
     CROSS JOIN mem_entity_names AS e ON e.ns = $ns AND e.folded = asked.value
     CROSS JOIN mem_nodes AS n ON n.seq = e.entity AND n.tombstoned = 0`,
    { ns, folded: JSON.stringify(names.map(foldName)) },
  );
  for (const row of rows) found.set(names[row.i] ?? '', entityOf(row));
  const ids = names.filter((name) => !found.has(name) && ID_LIKE.test(name));
  if (ids.length > 0) {
    // A merged entity is closed by SUPERSEDES: its id stands for the one that was kept.
    const byId = await sql.all<FoundEntity & { asked: string }>(
      `WITH RECURSIVE kept (asked, seq, depth) AS (
         SELECT a.value, n.seq, 0 FROM json_each($ids) AS a CROSS JOIN mem_nodes AS n ON n.id = a.value
         WHERE +(n.seq >> 32) = $ns AND n.kind = 'entity'
         UNION -- not ALL: in a circle each step would multiply the rows
         SELECT kept.asked, e.src, kept.depth + 1 FROM kept
         CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = kept.seq WHERE kept.depth < ${MAX_MERGES})
       SELECT kept.asked, ${ENTITY_COLUMNS} FROM kept CROSS JOIN mem_nodes AS n ON n.seq = kept.seq
       WHERE n.tombstoned = 0 ORDER BY kept.depth`,
      { ns, ids: JSON.stringify(ids) },
    );
    for (const row of byId) found.set(row.asked, entityOf(row));
  }
  return found;
}

/** An import keeps foreign ids: anything that could be one is looked up. */
const ID_LIKE = /^\S{1,64}$/;
const MAX_MERGES = 20;

interface FoundEntity {
  readonly seq: number;
  readonly id: string;
  readonly content: string;
  /** JSON array. */
  readonly aliases: string;
}

const ENTITY_COLUMNS = `n.seq, n.id, n.content,
  (SELECT json_group_array(alias) FROM mem_entity_names WHERE entity = n.seq AND alias IS NOT NULL) AS aliases`;

function entityOf({ seq, id, content, aliases }: FoundEntity): Entity {
  return { seq, id, names: [content, ...(JSON.parse(aliases) as string[])] };
}

export interface EntityName {
  readonly folded: string;
  readonly entity: number;
  /** As it was written; null for the entity's own name. */
  readonly alias: string | null;
}

/** Gives names to entities. A name that another entity holds already goes to the new one. */
export async function nameEntities(memory: WritableMemory, ns: number, names: readonly EntityName[]): Promise<void> {
  await memory.sql.run(
    `INSERT OR REPLACE INTO mem_entity_names (ns, folded, entity, alias)
     SELECT $ns, value ->> 0, value ->> 1, value ->> 2 FROM json_each($names)`,
    { ns, names: JSON.stringify(names.map(({ folded, entity, alias }) => [folded, entity, alias])) },
  );
}
