/** What waits until a person keeps it. */
import type { MemoryKind } from '../../../kinds/kinds';
import { wouldClose } from '../close-replaced';
import { markedWithCode } from '../code/doubts-of-memories';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { ORIGIN_JSON, type Origin, originIn } from '../origins';
import { type NearMemory, nearMemories } from '../similar/near-memories';
import { textList } from '../stored-json';
import { type NodeSummary, SUMMARY_COLUMNS } from './node-details';

/** A memory that waits. Its marks say whether its code has changed since it came. */
export interface Proposal {
  readonly namespace: string;
  readonly node: NodeSummary & { readonly kind: MemoryKind };
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  /** Names of what it is about. */
  readonly entities: readonly string[];
  /** Ids of the open memories that it takes the place of once it is kept. */
  readonly replaces: readonly string[];
  /** Open memories that say nearly the same; not there where there are none. */
  readonly near?: readonly NearMemory[] | undefined;
  /** Number of its source. */
  readonly source: number;
  readonly origin: Origin | null;
}

/** Where proposals come from. */
export interface ProposalSource {
  readonly namespace: string;
  /** By this number all that wait of it are kept or dropped. */
  readonly source: number;
  readonly origin: Origin | null;
  readonly waiting: number;
}

/** Proposals that nobody has kept or dropped, for `SELECT`s on `mem_nodes AS n`; binds `ns`. */
export const WAITS = `n.standing = 'proposed' AND n.kind NOT IN ('entity', 'session') AND n.tombstoned = 0 AND n.valid_until IS NULL AND +(n.seq >> 32) = $ns`;

interface Row
  extends Omit<Proposal, 'namespace' | 'node' | 'alternatives_rejected' | 'entities' | 'replaces' | 'near' | 'origin'> {
  // JSON of lists and of an Origin.
  readonly alternatives_rejected: string | null;
  readonly entities: string;
  readonly origin: string | null;
}

/** Of how many what says nearly the same is looked for, which takes two statements each. */
const MOST_COMPARED = 50;

/**
 * Those of the active namespace, source by source, oldest first; the first of them with what says nearly the same.
 * @param waitMs how long is waited for what became of their code; what is not known then has no mark
 */
export async function listProposals(memory: Memory, limit: number, waitMs?: number): Promise<Proposal[]> {
  const { namespace } = memory.scope;
  const ns = await namespaceNumber(memory.sql, namespace);
  const rows = await memory.sql.all<Row & Proposal['node'] & { readonly seq: number }>(
    `SELECT n.seq, ${SUMMARY_COLUMNS}, n.rationale, n.alternatives_rejected, coalesce(n.origin, 0) AS source, ${ORIGIN_JSON} AS origin,
            (SELECT json_group_array(e.content) FROM mem_edges AS about JOIN mem_nodes AS e ON e.seq = about.dst
             WHERE about.type = 'ABOUT' AND about.src = n.seq) AS entities
     FROM main.mem_nodes AS n LEFT JOIN main.mem_nodes AS s ON s.seq = n.session
     WHERE ${WAITS} ORDER BY n.origin, n.seq LIMIT $limit`,
    { ns, limit },
  );
  const replaced = new Map<number, string[]>();
  for (const { proposal, id } of await wouldClose(
    memory.sql,
    rows.map(({ seq }) => seq),
  )) {
    replaced.set(proposal, [...(replaced.get(proposal) ?? []), id]);
  }
  const replaces = (seq: number): readonly string[] => replaced.get(seq) ?? [];
  const [found, near] = await Promise.all([
    markedWithCode(memory, rows, { onSymbols: true, waitMs }),
    Promise.all(
      rows
        .slice(0, MOST_COMPARED)
        .map((row) => nearMemories(memory, { ...row, replaces: replaces(row.seq).map((id) => ({ id })) })),
    ),
  ]);
  return found.map(({ seq, rationale, alternatives_rejected, source, origin, entities, ...node }, i) => ({
    ...{ namespace, node, rationale, source },
    alternatives_rejected: textList(alternatives_rejected),
    entities: textList(entities),
    replaces: replaces(seq),
    ...((near[i] ?? []).length === 0 ? {} : { near: near[i] }),
    origin: originIn(origin),
  }));
}

/** How many wait in the active namespace. */
export async function countProposals({ sql, scope }: Memory): Promise<number> {
  const ns = await namespaceNumber(sql, scope.namespace);
  const row = await sql.get<{ waiting: number }>(`SELECT count(*) AS waiting FROM main.mem_nodes AS n WHERE ${WAITS}`, {
    ns,
  });
  return row?.waiting ?? 0;
}

/** The sources of what waits in the active namespace. */
export async function proposalSources(memory: Memory): Promise<ProposalSource[]> {
  const { namespace } = memory.scope;
  const ns = await namespaceNumber(memory.sql, namespace);
  const rows = await memory.sql.all<{ source: number; origin: string | null; waiting: number }>(
    `SELECT coalesce(n.origin, 0) AS source, ${ORIGIN_JSON} AS origin, count(*) AS waiting
     FROM main.mem_nodes AS n WHERE ${WAITS} GROUP BY n.origin ORDER BY n.origin`,
    { ns },
  );
  return rows.map(({ origin, ...row }) => ({ ...row, namespace, origin: originIn(origin) }));
}
