import { timestamp } from '../../base/clock';
import type { Reader } from '../../db/sql';
import { type Mask, NEAR_IN_TIME_MS } from './search';
import { WEIGHTS } from './weights';

/** An edge along which relevance is handed on. */
export interface Link {
  readonly parent: number;
  readonly child: number;
  /** Share of the parent's relevance. */
  readonly share: number;
}

/** An entity that more memories than this share says nothing about any of them. */
const HUB_DEGREE = 24;
const MAX_CHAIN = 20;

/** The neighbours of the nodes: stored just before and after, sharing an entity, and superseding one of them. */
export async function neighbours(sql: Reader, mask: Mask, parents: readonly number[]): Promise<Link[]> {
  if (parents.length === 0) return [];
  const list = JSON.stringify(parents);
  const [beside, about, chain] = await Promise.all([
    storedBeside(sql, mask, list),
    sharingEntity(sql, mask, list),
    superseding(sql, mask, list),
  ]);
  return [...beside, ...about, ...chain];
}

/** In the same episode by order; a node without a session is beside those that became valid around the same time. */
async function storedBeside(sql: Reader, mask: Mask, parents: string): Promise<Link[]> {
  const rows = await sql.all<{
    parent: number;
    before: number | null;
    after: number | null;
    valid_from: string | null;
  }>(
    `SELECT n.seq AS parent,
            (SELECT max(seq) FROM mem_nodes WHERE episode = n.episode AND seq < n.seq) AS before,
            (SELECT min(seq) FROM mem_nodes WHERE episode = n.episode AND seq > n.seq) AS after,
            iif(n.episode IS NULL AND n.kind NOT IN ('entity', 'session'), n.valid_from, NULL) AS valid_from
     FROM json_each($parents) AS asked JOIN mem_nodes AS n ON n.seq = asked.value WHERE n.seq >> 32 = $ns`,
    { parents, ns: mask.ns },
  );
  const links: Link[] = [];
  for (const { parent, before, after, valid_from } of rows) {
    for (const child of [before, after]) {
      if (child !== null) links.push({ parent, child, share: WEIGHTS.neighbour });
    }
    if (valid_from !== null) links.push(...(await nearInTime(sql, mask, parent, Date.parse(valid_from))));
  }
  return links;
}

async function nearInTime(sql: Reader, { ns }: Mask, parent: number, at: number): Promise<Link[]> {
  const rows = await sql.all<{ child: number }>(
    `SELECT * FROM (SELECT seq AS child FROM mem_nodes
                    WHERE seq >> 32 = $ns AND valid_from BETWEEN $from AND $at AND seq <> $parent
                      AND episode IS NULL AND kind NOT IN ('entity', 'session') ORDER BY valid_from DESC LIMIT 1)
     UNION SELECT * FROM (SELECT seq FROM mem_nodes
                    WHERE seq >> 32 = $ns AND valid_from > $at AND valid_from <= $to
                      AND episode IS NULL AND kind NOT IN ('entity', 'session') ORDER BY valid_from LIMIT 1)`,
    { ns, parent, from: timestamp(at - NEAR_IN_TIME_MS), at: timestamp(at), to: timestamp(at + NEAR_IN_TIME_MS) },
  );
  return rows.map(({ child }) => ({ parent, child, share: WEIGHTS.neighbour }));
}

/** Damped by the entity's degree: what few memories share, binds them closely; a hub must not flood the result. */
async function sharingEntity(sql: Reader, mask: Mask, parents: string): Promise<Link[]> {
  const rows = await sql.all<{ parent: number; child: number; degree: number }>(
    `WITH shared AS MATERIALIZED (
       SELECT e.src AS parent, e.dst AS entity,
              (SELECT count(*) FROM (SELECT 1 FROM mem_edges WHERE type = 'ABOUT' AND dst = e.dst
                                     LIMIT ${HUB_DEGREE + 1})) AS degree
       FROM json_each($parents) AS asked JOIN mem_edges AS e ON e.type = 'ABOUT' AND e.src = asked.value
       WHERE e.src >> 32 = $ns)
     SELECT shared.parent, b.src AS child, shared.degree FROM shared
     JOIN mem_edges AS b ON b.type = 'ABOUT' AND b.dst = shared.entity AND b.src <> shared.parent
     WHERE shared.degree <= ${HUB_DEGREE}`,
    { parents, ns: mask.ns },
  );
  return rows.map(({ parent, child, degree }) => ({
    parent,
    child,
    share: WEIGHTS.sharedEntity / Math.sqrt(Math.max(1, degree - 1)),
  }));
}

/** What is known now in place of a superseded memory: the open end of its chain. */
async function superseding(sql: Reader, mask: Mask, parents: string): Promise<Link[]> {
  const rows = await sql.all<{ parent: number; child: number }>(
    `WITH RECURSIVE chain (parent, node, depth) AS (
       SELECT asked.value, e.src, 1 FROM json_each($parents) AS asked
       JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = asked.value
       UNION ALL
       SELECT chain.parent, e.src, chain.depth + 1 FROM chain
       JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = chain.node WHERE chain.depth < ${MAX_CHAIN})
     SELECT parent, node AS child FROM chain WHERE node >> 32 = $ns
     UNION SELECT e.src, e.dst FROM json_each($parents) AS asked
     JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = asked.value WHERE e.dst >> 32 = $ns`,
    { parents, ns: mask.ns },
  );
  return rows.map(({ parent, child }) => ({ parent, child, share: WEIGHTS.superseding }));
}
