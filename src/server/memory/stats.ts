/** Counts what a namespace holds. */

import { NODE_KINDS, type NodeKind } from '../../kinds/kinds';
import { sizeInBytes } from '../db/size';
import type { Reader } from '../db/sql';
import { inEachLayer, notReplaced } from './layers';
import { MAX_TOP_ENTITIES } from './limits';
import { type Marked, markedName } from './marks';
import type { Memory } from './memory';
import { listNamespaces, listProposedNamespaces, namespaceNumber } from './namespaces';
import { STANDING, type Standing } from './origins';

/** Open and closed nodes; forgotten ones not counted. All eight kinds, 0 included. */
export type KindCounts = Record<NodeKind, number>;

export interface Stats {
  readonly kind_counts: KindCounts;
  readonly db_size_bytes: number;
  readonly top_entities: TopEntity[];
  readonly namespaces: string[];
  /** Of these, those that only proposals named. Missing where there is none. */
  readonly proposed_namespaces?: string[];
}

interface TopEntity extends Marked {
  readonly id: string;
  readonly content: string;
  readonly degree: number;
}

export async function stats(memory: Memory, namespace: string | undefined): Promise<Stats> {
  const { sql } = memory;
  const ns = await namespaceNumber(sql, namespace ?? memory.scope.namespace);
  const top = await sql.all<TopEntity & { standing: Standing }>(
    `SELECT n.id, n.content, degree, ${STANDING} AS standing
     FROM (SELECT dst, count(*) AS degree FROM (${whatMemoriesAreAbout(sql)}) GROUP BY dst) AS top
     CROSS JOIN mem_nodes AS n ON n.seq = top.dst AND n.tombstoned = 0
     ORDER BY degree DESC, n.content LIMIT ${MAX_TOP_ENTITIES}`,
    { ns },
  );
  const proposed = await listProposedNamespaces(sql);
  return {
    kind_counts: await kindCounts(sql, ns),
    db_size_bytes: await sizeInBytes(sql),
    top_entities: top.map((entity) => markedName(memory, entity)),
    namespaces: await listNamespaces(sql),
    ...(proposed.length === 0 ? {} : { proposed_namespaces: proposed }),
  };
}

/** How many entities memories are about, those that no longer hold included. An import that was undone leaves others behind. */
export async function entitiesInUse(sql: Reader, ns: number): Promise<number> {
  const row = await sql.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT DISTINCT dst FROM (${whatMemoriesAreAbout(sql)})) AS used
     CROSS JOIN mem_nodes AS n ON n.seq = used.dst AND n.tombstoned = 0`,
    { ns },
  );
  return row?.n ?? 0;
}

/** `dst` of each edge from a memory of the namespace `$ns` to an entity. */
function whatMemoriesAreAbout(sql: Reader): string {
  return inEachLayer(
    sql,
    (layer) => `SELECT e.dst FROM ${layer}.mem_edges AS e
       JOIN ${layer}.mem_nodes AS m ON m.seq = e.src AND m.tombstoned = 0 ${notReplaced(sql, layer, 'm')}
       WHERE e.type = 'ABOUT' AND e.src >= $ns << 32 AND e.src < ($ns + 1) << 32`,
  );
}

export async function kindCounts(sql: Reader, ns: number): Promise<KindCounts> {
  const rows = await sql.all<{ kind: NodeKind; n: number }>(
    'SELECT kind, count(*) AS n FROM mem_nodes WHERE seq >> 32 = $ns AND tombstoned = 0 GROUP BY kind',
    { ns },
  );
  const counts = new Map(rows.map(({ kind, n }) => [kind, n]));
  return Object.fromEntries(NODE_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])) as KindCounts;
}
