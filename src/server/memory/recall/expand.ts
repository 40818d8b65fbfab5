/** Finds the neighbours of hits. */

import type { Reader } from '../../db/sql';
import { episodeOf, inEachLayer, inItsPlace, layersOf, OWN_LAYER, rowsInEpisodes } from '../layers';
import { MEMORY_KINDS_SQL } from '../node-kinds';
import { type Candidate, candidates, candidatesIn, type Mask, maskParameters } from './search';
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
  const row = await sql.get<{ links: string; near: string; loaded: string }>(hopOn(sql), {
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

/** One after the other, without anything between. */
const each = (sql: Reader, part: (layer: string) => string): string => layersOf(sql).map(part).join('\n');

/** A recursive table takes no view in, so each layer has a SELECT of its own. */
const neighbours = (sql: Reader): string => `WITH RECURSIVE
       asked (seq) AS MATERIALIZED (SELECT value FROM json_each($parents)),
       placed (parent, seq) AS MATERIALIZED (${rowsInEpisodes(sql)}),
       common AS MATERIALIZED (
         ${inEachLayer(
           sql,
           (layer) => `SELECT e.src AS parent, e.dst AS entity,
                (SELECT count(*) FROM (${inEachLayer(
                  sql,
                  (other) => `SELECT * FROM (SELECT 1 FROM ${other}.mem_edges WHERE type = 'ABOUT' AND dst = e.dst
                                             LIMIT ${HUB_DEGREE + 1})`,
                )})) AS degree
         FROM asked CROSS JOIN ${layer}.mem_edges AS e ON e.type = 'ABOUT' AND e.src = asked.seq`,
         )}),
       chain (parent, node, depth) AS (
         SELECT seq, seq, 0 FROM asked
         ${each(
           sql,
           (
             layer,
           ) => `UNION -- not ALL: in a circle, which an honest store has none of, each step would multiply the rows
         SELECT chain.parent, e.src, chain.depth + 1 FROM chain
         CROSS JOIN ${layer}.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = chain.node WHERE chain.depth < ${MAX_CHAIN}`,
         )})
     SELECT placed.parent, ${inItsPlace(sql, 'beside.value')} AS child, 1 AS degree, beside.key + 1 AS distance
     FROM placed CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = placed.seq
     CROSS JOIN json_each((SELECT json_group_array(seq) FROM (
       SELECT seq FROM ${OWN_LAYER}.mem_nodes WHERE episode = n.episode AND seq < n.seq ORDER BY seq DESC LIMIT ${FARTHEST}))) AS beside
     WHERE +(n.seq >> 32) = $ns
     UNION ALL
     SELECT placed.parent, ${inItsPlace(sql, 'beside.value')}, 1, beside.key + 1
     FROM placed CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = placed.seq
     CROSS JOIN json_each((SELECT json_group_array(seq) FROM (
       SELECT seq FROM ${OWN_LAYER}.mem_nodes WHERE episode = n.episode AND seq > n.seq ORDER BY seq LIMIT ${FARTHEST}))) AS beside
     WHERE +(n.seq >> 32) = $ns
     ${each(
       sql,
       (layer) => `UNION ALL
     SELECT both.parent, b.src, both.degree - 1, 0 FROM common AS both
     CROSS JOIN ${layer}.mem_edges AS b ON b.type = 'ABOUT' AND b.dst = both.entity AND b.src <> both.parent
     WHERE both.degree <= ${HUB_DEGREE}
     UNION ALL
     SELECT e.src, e.dst, 1, -1 FROM asked CROSS JOIN ${layer}.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = asked.seq`,
     )}
     UNION ALL
     SELECT parent, node, 1, -1 FROM chain WHERE depth > 0`;

/** Of those without a session that became valid around the same time as the node `p`, which has none either. */
const nearest = (sql: Reader, where: string, order: string): string =>
  `(SELECT seq FROM (${inEachLayer(
    sql,
    (layer) => `SELECT * FROM (SELECT n.seq, n.valid_from FROM ${layer}.mem_nodes AS n
    WHERE n.seq >> 32 = $ns AND n.kind IN (${MEMORY_KINDS_SQL}) AND n.tombstoned = 0 AND ${episodeOf(layer, 'n')} IS NULL AND ${where}
    ORDER BY n.valid_from ${order} LIMIT 1)`,
  )}) ORDER BY valid_from ${order} LIMIT 1)`;
const apart = (minutes: number): string => `strftime('%Y-%m-%dT%H:%M:%fZ', p.valid_from, '${minutes} minutes')`;

const near = (sql: Reader): string =>
  inEachLayer(
    sql,
    (layer) => `SELECT p.seq AS parent,
    ${nearest(sql, `n.valid_from BETWEEN ${apart(-NEAR_IN_TIME_MINUTES)} AND p.valid_from AND n.seq <> p.seq`, 'DESC')} AS before,
    ${nearest(sql, `n.valid_from > p.valid_from AND n.valid_from <= ${apart(NEAR_IN_TIME_MINUTES)}`, 'ASC')} AS after
  FROM json_each($parents) AS asked CROSS JOIN ${layer}.mem_nodes AS p ON p.seq = asked.value
  WHERE +(p.seq >> 32) = $ns AND ${episodeOf(layer, 'p')} IS NULL AND p.kind IN (${MEMORY_KINDS_SQL})`,
  );

const hopOn = (sql: Reader): string => `SELECT
  (SELECT json_group_array(json_array(parent, child, degree, distance)) FROM (${neighbours(sql)})) AS links,
  (SELECT json_group_array(json_array(parent, before, after)) FROM (${near(sql)})) AS near,
  (${candidates(sql)}) AS loaded`;
