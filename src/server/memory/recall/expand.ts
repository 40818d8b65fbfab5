/** Finds the neighbours of hits. */

import { isStructural } from '../../../kinds/kinds';
import { MINUTE_MS, timestamp } from '../../base/clock';
import type { Reader } from '../../db/sql';
import { MEMORY_KINDS_SQL } from '../node-kinds';
import type { Candidate, Mask } from './search';
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
/** For memories without a session: docs/behaviour.md, "Neighbours". */
const NEAR_IN_TIME_MS = 30 * MINUTE_MS;
const MAX_CHAIN = 20;

/**
 * The neighbours of the nodes, in one round trip: stored just before and after in the same episode, sharing an entity
 * (damped by the entity's degree: what few memories share, binds them closely; a hub must not flood the result), and
 * along SUPERSEDES up to the open end of the chain, which is what is known now in place of a superseded memory.
 */
export async function neighbours(sql: Reader, mask: Mask, parents: readonly Candidate[]): Promise<Link[]> {
  if (parents.length === 0) return [];
  const rows = await sql.all<{ parent: number; child: number | null; degree: number }>(
    `WITH RECURSIVE
       asked (seq) AS MATERIALIZED (SELECT value FROM json_each($parents)),
       shared AS MATERIALIZED (
         SELECT e.src AS parent, e.dst AS entity,
                (SELECT count(*) FROM (SELECT 1 FROM mem_edges WHERE type = 'ABOUT' AND dst = e.dst
                                       LIMIT ${HUB_DEGREE + 1})) AS degree
         FROM asked CROSS JOIN mem_edges AS e ON e.type = 'ABOUT' AND e.src = asked.seq),
       chain (parent, node, depth) AS (
         SELECT asked.seq, e.src, 1 FROM asked
         CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = asked.seq
         UNION -- not ALL: in a circle, which an honest store has none of, each step would multiply the rows
         SELECT chain.parent, e.src, chain.depth + 1 FROM chain
         CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = chain.node WHERE chain.depth < ${MAX_CHAIN})
     SELECT n.seq AS parent, (SELECT max(seq) FROM mem_nodes WHERE episode = n.episode AND seq < n.seq) AS child,
            1 AS degree
     FROM asked CROSS JOIN mem_nodes AS n ON n.seq = asked.seq WHERE +(n.seq >> 32) = $ns
     UNION ALL
     SELECT n.seq, (SELECT min(seq) FROM mem_nodes WHERE episode = n.episode AND seq > n.seq), 1
     FROM asked CROSS JOIN mem_nodes AS n ON n.seq = asked.seq WHERE +(n.seq >> 32) = $ns
     UNION ALL
     SELECT shared.parent, b.src, shared.degree - 1 FROM shared
     CROSS JOIN mem_edges AS b ON b.type = 'ABOUT' AND b.dst = shared.entity AND b.src <> shared.parent
     WHERE shared.degree <= ${HUB_DEGREE}
     UNION ALL
     SELECT parent, node, 1 FROM chain
     UNION ALL
     SELECT e.src, e.dst, 1 FROM asked CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = asked.seq`,
    { parents: JSON.stringify(parents.map((node) => node.seq)), ns: mask.ns },
  );
  const links = rows.flatMap(({ parent, child, degree }) =>
    child === null ? [] : [{ parent, child, share: WEIGHTS.neighbour / degree ** WEIGHTS.entityDamping }],
  );
  for (const { seq, episode, kind, validFrom } of parents) {
    if (episode !== null || isStructural(kind)) continue;
    links.push(...(await nearInTime(sql, mask, seq, validFrom)));
  }
  return links;
}

/** A node without a session is beside those without one that became valid around the same time. */
async function nearInTime(sql: Reader, { ns }: Mask, parent: number, at: number): Promise<Link[]> {
  const apart = `seq >> 32 = $ns AND kind IN (${MEMORY_KINDS_SQL}) AND tombstoned = 0 AND episode IS NULL`;
  const rows = await sql.all<{ child: number }>(
    `SELECT * FROM (SELECT seq AS child FROM mem_nodes
                    WHERE ${apart} AND valid_from BETWEEN $from AND $at AND seq <> $parent
                    ORDER BY valid_from DESC LIMIT 1)
     UNION SELECT * FROM (SELECT seq FROM mem_nodes
                    WHERE ${apart} AND valid_from > $at AND valid_from <= $to ORDER BY valid_from LIMIT 1)`,
    { ns, parent, from: timestamp(at - NEAR_IN_TIME_MS), at: timestamp(at), to: timestamp(at + NEAR_IN_TIME_MS) },
  );
  return rows.map(({ child }) => ({ parent, child, share: WEIGHTS.neighbour }));
}
