/** What proposals take the place of once they are kept: docs/behaviour.md, "Proposals". */
import type { Reader } from '../db/sql';
import { closeSupersededNodes } from './close-superseded-nodes';
import { insertEdges } from './edges';
import { recorded } from './history/operations';
import type { WritableMemory } from './memory';

/**
 * A recursive table `replacing (proposal, seq)`: what proposals name, what that would replace where it waits itself, and
 * what was stored in its place meanwhile, open or closed. What was proposed itself is not in its place, nor are a person's
 * words for that: two proposals may share what one memory said.
 * @param asked a SELECT of row numbers of proposals
 */
export const replacing = (asked: string): string => `RECURSIVE replacing (proposal, seq) AS MATERIALIZED (
    SELECT asked.seq, e.dst FROM (${asked}) AS asked
    CROSS JOIN main.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = asked.seq
    UNION SELECT one.proposal, e.dst
    FROM replacing AS one CROSS JOIN main.mem_nodes AS waiting ON waiting.seq = one.seq
    CROSS JOIN main.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = waiting.seq
    WHERE waiting.standing = 'proposed' AND waiting.tombstoned = 0
    UNION SELECT one.proposal, newer.seq
    FROM replacing AS one CROSS JOIN main.mem_nodes AS closed ON closed.seq = one.seq
    CROSS JOIN main.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = closed.seq
    CROSS JOIN main.mem_nodes AS newer ON newer.seq = e.src
    WHERE closed.valid_until IS NOT NULL AND newer.standing <> 'proposed' AND newer.tombstoned = 0
      AND NOT EXISTS (SELECT 1 FROM main.mem_history AS h WHERE h.node = newer.seq AND h.before ->> 3 = 'proposed')
      AND NOT EXISTS (
        SELECT 1 FROM main.mem_edges AS other CROSS JOIN main.mem_nodes AS beside ON beside.seq = other.dst
        WHERE other.type = 'SUPERSEDES' AND other.src = newer.seq AND other.dst <> closed.seq
          AND beside.standing = 'proposed'))`;

export interface ReplacedNode {
  readonly seq: number;
  /** Row number of the proposal. */
  readonly by: number;
  /** `valid_from` of the proposal. */
  readonly validFrom: string;
  /** The proposal names it: there is an edge. */
  readonly isNamed: 0 | 1;
}

/** What is open of it. @param seqs row numbers of proposals */
export function replacedBy(sql: Reader, ns: number, seqs: readonly number[]): Promise<ReplacedNode[]> {
  return sql.all<ReplacedNode>(
    `WITH ${replacing('SELECT value AS seq FROM json_each($seqs)')}
     SELECT o.seq, n.seq AS "by", min(n.valid_from) AS validFrom,
            EXISTS (SELECT 1 FROM mem_edges AS e WHERE e.type = 'SUPERSEDES' AND e.src = n.seq AND e.dst = o.seq) AS isNamed
     FROM replacing AS one CROSS JOIN mem_nodes AS o ON o.seq = one.seq CROSS JOIN mem_nodes AS n ON n.seq = one.proposal
     WHERE +(o.seq >> 32) = $ns AND o.valid_until IS NULL AND o.tombstoned = 0 GROUP BY o.seq`,
    { seqs: JSON.stringify(seqs), ns },
  );
}

/** Closes what memories take the place of that waited until now. @param replaced what `replacedBy` found before they were kept */
export async function closeReplaced(
  memory: WritableMemory,
  ns: number,
  replaced: readonly ReplacedNode[],
): Promise<void> {
  // An edge that was there before stays when this is undone.
  const named = replaced.filter(({ isNamed }) => isNamed === 1);
  await recorded(memory, ns, 'supersede', named, () =>
    memory.sql.run(
      `UPDATE mem_nodes SET valid_until = max(valid_from, one.value ->> 1) FROM json_each($closed) AS one
       WHERE seq = one.value ->> 0 AND +(seq >> 32) = $ns`,
      { ns, closed: JSON.stringify(named.map(({ seq, validFrom }) => [seq, validFrom])) },
    ),
  );
  await closeWithEdges(
    memory,
    ns,
    replaced.filter(({ isNamed }) => isNamed === 0),
  );
}

/** Closes them by edges of their own, which an undo takes back. */
export async function closeWithEdges(
  memory: WritableMemory,
  ns: number,
  replaced: readonly Omit<ReplacedNode, 'isNamed'>[],
): Promise<void> {
  await insertEdges(
    memory.sql,
    replaced.map(({ seq, by }) => ({ type: 'SUPERSEDES', src: by, dst: seq })),
  );
  await closeSupersededNodes(memory, ns, replaced);
}
