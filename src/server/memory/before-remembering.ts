/** Reads what storing a memory depends on. */
import { askedNames, type Entity, entitiesOf, type FoundEntity, foundEntities } from './entities';
import type { Memory } from './memory';
import type { Episode } from './nodes';
import type { NodeStanding } from './open-memory';
import { FIND_ORIGIN, type FoundOrigin, foundOrigin, type Origin, originValues } from './origins';
import { lastSeqIn } from './reserved-rows';

/** What a new memory names of what is there. */
export interface Named {
  readonly namespace: string;
  /** Id of the session that it is to belong to. */
  readonly session: string | undefined;
  readonly supersedes: string | undefined;
  readonly entities: readonly string[];
  /** Where the memory comes from. */
  readonly origin: Origin;
  /** What its text says (`saidKey`); not there where it is stored in any case. */
  readonly said?: number | undefined;
}

export interface NamedNode extends NodeStanding {
  readonly id: string;
}

/** What of that is there. */
export interface FoundNamed {
  /** Number of the namespace; the next one that is free where it is new. */
  readonly ns: number;
  readonly isNew: boolean;
  /** The highest row number that was given out in it. */
  readonly last: number;
  readonly superseded: NamedNode | undefined;
  readonly session: NamedNode | undefined;
  /** That the session is in. */
  readonly episode: Episode | undefined;
  /** By the name that was asked for. */
  readonly entities: ReadonlyMap<string, Entity>;
  readonly origin: FoundOrigin;
  /** Something open may say the same. */
  readonly isSaid: boolean;
}

const node = (id: string): string =>
  `(SELECT json_array(n.seq, n.id, n.kind, n.tombstoned, n.valid_until) FROM mem_nodes AS n
    WHERE n.id = ${id} AND +(n.seq >> 32) = at.ns)`;

const FIND_NAMED = `SELECT at.ns, ${FIND_ORIGIN} AS origin, (SELECT max(ns) + 1 FROM mem_namespaces) AS next,
  (${lastSeqIn('at.ns')}) AS last,
  ${node('$supersedes')} AS superseded,
  ${node('$session')} AS session,
  EXISTS (SELECT 1 FROM mem_nodes WHERE said = $said AND valid_until IS NULL AND tombstoned = 0
          AND seq >= at.ns << 32 AND seq < (at.ns + 1) << 32) AS said,
  (SELECT json_array(n.episode, n.valid_from) FROM mem_nodes AS n WHERE n.seq = (
     SELECT max(seq) FROM mem_nodes WHERE session = (SELECT seq FROM mem_nodes WHERE id = $session))) AS episode,
  (SELECT json_group_array(json_array(i, depth, claimed, seq, id, content, aliases)) FROM (${foundEntities('at.ns')})) AS entities
  FROM (SELECT (SELECT ns FROM mem_namespaces WHERE name = $namespace) AS ns) AS at`;

interface Row {
  readonly ns: number | null;
  readonly origin: string;
  readonly next: number;
  readonly last: number | null;
  readonly said: 0 | 1;
  /** The others are JSON. */
  readonly superseded: string | null;
  readonly session: string | null;
  readonly episode: string | null;
  readonly entities: string;
}

/** All of it in one statement: a transaction that stores a memory holds up every other writer. */
export async function findNamed(
  { sql }: Memory,
  { namespace, session, supersedes, entities, origin, said }: Named,
): Promise<FoundNamed> {
  const row = await sql.get<Row>(FIND_NAMED, {
    namespace,
    session: session ?? null,
    supersedes: supersedes ?? null,
    said: said ?? null,
    ...askedNames(entities),
    ...originValues(origin),
  });
  if (!row) throw new Error('a statement without a condition returned no row');
  const ns = row.ns ?? row.next;
  return {
    ns,
    isNew: row.ns === null,
    last: row.last ?? ns * 2 ** 32,
    isSaid: row.said === 1,
    superseded: nodeOf(row.superseded),
    session: nodeOf(row.session),
    episode: episodeOf(row.episode),
    origin: foundOrigin(row.origin),
    entities: entitiesOf(entities, (JSON.parse(row.entities) as EntityTuple[]).map(entityOf), 'exactly'),
  };
}

// The statement above makes these.
type NodeTuple = [number, string, NamedNode['kind'], 0 | 1, string | null];
type EntityTuple = [number, number | null, 0 | 1, number, string, string, string];

function nodeOf(json: string | null): NamedNode | undefined {
  if (json === null) return undefined;
  const [seq, id, kind, tombstoned, valid_until] = JSON.parse(json) as NodeTuple;
  return { seq, id, kind, tombstoned, valid_until };
}

function episodeOf(json: string | null): Episode | undefined {
  if (json === null) return undefined;
  const [first, validFrom] = JSON.parse(json) as [number, string];
  return { first, lastAt: Date.parse(validFrom) };
}

function entityOf([i, depth, claimed, seq, id, content, aliases]: EntityTuple): FoundEntity {
  return { i, depth, claimed, seq, id, content, aliases };
}
