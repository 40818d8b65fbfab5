/** Finds the neighbours of hits. */

import type { Reader } from '../../db/sql';
import { MEMORY_KINDS_SQL } from '../node-kinds';
import { CANDIDATES, type Candidate, candidatesIn, type Mask, maskParameters } from './search';
import type { Weights } from './weights';

/** An edge along which relevance is handed on. */
export interface Link {
  readonly parent: number;
  readonly child: number;
  /** Share of the parent's relevance. */
  readonly share: number;
  readonly along: 'time' | 'entity' | 'superseding';
}

/** An entity that more memories than this share says nothing about any of them. */
const HUB_DEGREE = 24;
/** For memories without a session: docs/behaviour.md, "Neighbours". */
const NEAR_IN_TIME_MINUTES = 30;
const MAX_CHAIN = 20;
/** Memories of an episode that relevance reaches, before and after. */
const FARTHEST = 4;

/** What one hop finds. */
export interface Hop {
  readonly links: readonly Link[];
  /** The rows that were asked for. */
  readonly loaded: readonly Candidate[];
}

/**
 * Takes one hop, in one round trip: loads the rows that the hop before has led to, and finds the neighbours of the
 * strongest nodes, which may be among these rows. Neighbours were stored just before and after in the same episode, sharing an entity
 * (damped by the entity's degree: what few memories share, binds them closely; a hub must not flood the result), and
 * along SUPERSEDES up to the open end of the chain, which is what is known now in place of a superseded memory.
 */
export async function hop(
  sql: Reader,
  { mask, weights }: { readonly mask: Mask; readonly weights: Weights },
  parents: readonly number[],
  seqs: readonly number[],
): Promise<Hop> {
  if (parents.length === 0 && seqs.length === 0) return { links: [], loaded: [] };
  const row = await sql.get<{ links: string; near: string; loaded: string }>(HOP, {
    ...maskParameters(mask),
    parents: JSON.stringify(parents),
    seqs: JSON.stringify(seqs),
  });
  const rows = JSON.parse(row?.links ?? '[]') as LinkTuple[];
  const near = JSON.parse(row?.near ?? '[]') as [parent: number, before: number | null, after: number | null][];
  return {
    links: [
      ...rows.map(
        ([parent, child, degree, distance]): Link => ({
          parent,
          child,
          along: distance > 0 ? 'time' : distance === 0 ? 'entity' : 'superseding',
          share: weights.neighbour ** Math.max(1, distance) / degree ** weights.entityDamping,
        }),
      ),
      ...near.flatMap(([parent, ...beside]) =>
        beside
          .flatMap((child) => child ?? [])
          .sort((a, b) => a - b)
          .map((child): Link => ({ parent, child, along: 'time', share: weights.neighbour })),
      ),
    ],
    loaded: candidatesIn(row?.loaded),
  };
}

/** `distance`: how many places apart in an episode; 0 for a shared entity, -1 along SUPERSEDES. */
type LinkTuple = [parent: number, child: number, degree: number, distance: number];

const NEIGHBOURS = `WITH RECURSIVE
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
     SELECT n.seq AS parent, beside.value AS child, 1 AS degree, beside.key + 1 AS distance
     FROM asked CROSS JOIN mem_nodes AS n ON n.seq = asked.seq
     CROSS JOIN json_each((SELECT json_group_array(seq) FROM (
       SELECT seq FROM mem_nodes WHERE episode = n.episode AND seq < n.seq ORDER BY seq DESC LIMIT ${FARTHEST}))) AS beside
     WHERE +(n.seq >> 32) = $ns
     UNION ALL
     SELECT n.seq, beside.value, 1, beside.key + 1
     FROM asked CROSS JOIN mem_nodes AS n ON n.seq = asked.seq
     CROSS JOIN json_each((SELECT json_group_array(seq) FROM (
       SELECT seq FROM mem_nodes WHERE episode = n.episode AND seq > n.seq ORDER BY seq LIMIT ${FARTHEST}))) AS beside
     WHERE +(n.seq >> 32) = $ns
     UNION ALL
     SELECT shared.parent, b.src, shared.degree - 1, 0 FROM shared
     CROSS JOIN mem_edges AS b ON b.type = 'ABOUT' AND b.dst = shared.entity AND b.src <> shared.parent
     WHERE shared.degree <= ${HUB_DEGREE}
     UNION ALL
     SELECT parent, node, 1, -1 FROM chain
     UNION ALL
     SELECT e.src, e.dst, 1, -1 FROM asked CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = asked.seq`;

/** Of those without a session that became valid around the same time as the node `p`, which has none either. */
const nearest = (where: string, order: string): string =>
  `(SELECT n.seq FROM mem_nodes AS n
    WHERE n.seq >> 32 = $ns AND n.kind IN (${MEMORY_KINDS_SQL}) AND n.tombstoned = 0 AND n.episode IS NULL AND ${where}
    ORDER BY n.valid_from ${order} LIMIT 1)`;
const apart = (minutes: number): string => `strftime('%Y-%m-%dT%H:%M:%fZ', p.valid_from, '${minutes} minutes')`;

const NEAR = `SELECT p.seq AS parent,
    ${nearest(`n.valid_from BETWEEN ${apart(-NEAR_IN_TIME_MINUTES)} AND p.valid_from AND n.seq <> p.seq`, 'DESC')} AS before,
    ${nearest(`n.valid_from > p.valid_from AND n.valid_from <= ${apart(NEAR_IN_TIME_MINUTES)}`, 'ASC')} AS after
  FROM json_each($parents) AS asked CROSS JOIN mem_nodes AS p ON p.seq = asked.value
  WHERE +(p.seq >> 32) = $ns AND p.episode IS NULL AND p.kind IN (${MEMORY_KINDS_SQL})`;

const HOP = `SELECT
  (SELECT json_group_array(json_array(parent, child, degree, distance)) FROM (${NEIGHBOURS})) AS links,
  (SELECT json_group_array(json_array(parent, before, after)) FROM (${NEAR})) AS near,
  (${CANDIDATES}) AS loaded`;
