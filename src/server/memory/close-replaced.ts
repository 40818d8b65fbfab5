/** What proposals take the place of once they are kept: docs/behaviour.md, "Proposals". */
import type { Reader } from '../db/sql';
import { closeSupersededNodes } from './close-superseded-nodes';
import { insertEdges } from './edges';
import { recorded } from './history/operations';
import { layersOf, SHARED_LAYER } from './layers';
import type { Memory, WritableMemory } from './memory';
import { namespaceNumber } from './namespaces';
import type { Standing } from './origins';
import { isValid } from './people/node-filter';

/**
 * A recursive table `replacing (proposal, seq)`: what proposals name, what that would replace where it waits itself, and
 * what was stored in its place meanwhile, open or closed. What was proposed itself is not in its place, nor are a person's
 * words for that: two proposals may share what one memory said. What is shared by now is in its file.
 * @param asked a SELECT of row numbers of proposals
 */
function replacing(sql: Pick<Reader, 'layers'>, asked: string): string {
  const pairs = layersOf(sql).includes(SHARED_LAYER);
  return `RECURSIVE replacing (proposal, seq) AS MATERIALIZED (
    SELECT asked.seq, e.dst FROM (${asked}) AS asked
    CROSS JOIN main.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = asked.seq
    UNION SELECT one.proposal, e.dst
    FROM replacing AS one CROSS JOIN main.mem_nodes AS waiting ON waiting.seq = one.seq
    CROSS JOIN main.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = waiting.seq
    WHERE waiting.standing = 'proposed' AND waiting.tombstoned = 0 AND waiting.valid_until IS NULL
    UNION SELECT one.proposal, newer.seq
    FROM replacing AS one CROSS JOIN main.mem_nodes AS closed ON closed.seq = one.seq
    CROSS JOIN main.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = closed.seq
    CROSS JOIN main.mem_nodes AS newer ON newer.seq = e.src
    WHERE closed.valid_until IS NOT NULL AND newer.standing <> 'proposed'
      AND (newer.tombstoned = 0 ${pairs ? `OR EXISTS (SELECT 1 FROM ${PAIRS} WHERE pair.one = newer.seq)` : ''})
      AND NOT EXISTS (SELECT 1 FROM main.mem_history AS h WHERE h.node = newer.seq AND h.before ->> 3 = 'proposed')
      AND NOT EXISTS (
        SELECT 1 FROM main.mem_edges AS other CROSS JOIN main.mem_nodes AS beside ON beside.seq = other.dst
        WHERE other.type = 'SUPERSEDES' AND other.src = newer.seq AND other.dst <> closed.seq
          AND beside.standing = 'proposed')
    ${pairs ? `UNION SELECT one.proposal, pair.other FROM replacing AS one CROSS JOIN ${PAIRS} ON pair.one = one.seq` : ''}
    LIMIT (SELECT ${MOST_STEPS} + ${STEPS_EACH} * count(*) FROM (${asked})))`;
}

/** Of rows of the store with the shared ones that are seen in their place. */
const PAIRS = `${SHARED_LAYER}.mem_kept_pairs AS pair`;

/** A file may hold long chains: what is farthest away is left out then. */
const MOST_STEPS = 10_000;
const STEPS_EACH = 100;

export interface ReplacedNode {
  readonly seq: number;
  /** Row number of the proposal. */
  readonly by: number;
  /** `valid_from` of the proposal. */
  readonly validFrom: string;
  /** The proposal names it: there is an edge. */
  readonly isNamed: 0 | 1;
}

/** What of the store is open of it. @param seqs row numbers of proposals */
export function replacedBy(sql: Reader, ns: number, seqs: readonly number[]): Promise<ReplacedNode[]> {
  return sql.all<ReplacedNode>(
    `WITH ${replacing(sql, EACH)}
     SELECT o.seq, n.seq AS "by", min(n.valid_from) AS validFrom,
            EXISTS (SELECT 1 FROM main.mem_edges AS e WHERE e.type = 'SUPERSEDES' AND e.src = n.seq AND e.dst = o.seq) AS isNamed
     FROM replacing AS one CROSS JOIN main.mem_nodes AS o ON o.seq = one.seq
     CROSS JOIN main.mem_nodes AS n ON n.seq = one.proposal
     WHERE +(o.seq >> 32) = $ns AND ${isValid('o')} GROUP BY o.seq`,
    { seqs: JSON.stringify(seqs), ns },
  );
}

const EACH = 'SELECT value AS seq FROM json_each($seqs)';

/** A memory that a proposal would close. */
export interface WouldClose {
  /** Row number of the proposal. */
  readonly proposal: number;
  readonly id: string;
  readonly content: string;
  readonly valid_from: string;
  readonly recorded_at: string;
  readonly standing: Standing;
}

/** What is open of it, shared or not. @param seqs row numbers of proposals */
export async function wouldClose(sql: Reader, seqs: readonly number[]): Promise<WouldClose[]> {
  if (seqs.length === 0) return [];
  return sql.all<WouldClose>(
    `WITH ${replacing(sql, EACH)}
     SELECT one.proposal, n.id, n.content, n.valid_from, n.recorded_at, n.standing
     FROM replacing AS one CROSS JOIN mem_nodes AS n ON n.seq = one.seq WHERE ${isValid('n')}`,
    { seqs: JSON.stringify(seqs) },
  );
}

/** Ids of the open shared memories that what was kept or edited takes the place of. */
export async function sharedReplacedBy({ sql, scope }: Memory, id: string): Promise<string[]> {
  if (!layersOf(sql).includes(SHARED_LAYER)) return [];
  const ns = await namespaceNumber(sql, scope.namespace);
  // What was edited has the proposal closed, which named them.
  const kept = 'SELECT seq FROM main.mem_nodes WHERE id = $id AND +(seq >> 32) = $ns';
  const asked = `${kept} UNION SELECT e.dst AS seq FROM main.mem_edges AS e CROSS JOIN main.mem_nodes AS o ON o.seq = e.dst
     WHERE e.type = 'SUPERSEDES' AND e.src = (${kept}) AND o.standing = 'proposed'`;
  const found = await sql.all<{ id: string }>(
    `WITH ${replacing(sql, asked)}
     SELECT DISTINCT o.id FROM replacing AS one CROSS JOIN ${SHARED_LAYER}.mem_nodes AS o ON o.seq = one.seq
     WHERE ${isValid('o')}`,
    { id, ns },
  );
  return found.map((one) => one.id);
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
