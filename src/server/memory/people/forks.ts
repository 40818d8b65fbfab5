/** Finds memories that were rewritten in two ways, as on two branches that were merged. */
import type { MemoryKind } from '../../../kinds/kinds';
import { isKeptInFile, keptPairs, pairKey } from '../consolidation/near-duplicates';
import { FIRST_SHARED_ROW, isProposal, layersOf } from '../layers';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';

interface Rewriting {
  readonly id: string;
  readonly content: string;
  readonly valid_from: string;
}

/** Two open memories that took the place of the same one. */
export interface Fork {
  readonly namespace: string;
  readonly kind: MemoryKind;
  readonly newer: Rewriting;
  readonly older: Rewriting;
  /** What both took the place of. */
  readonly replaced: { readonly id: string; readonly content: string };
}

interface Row extends Rewriting {
  readonly seq: number;
  readonly kind: MemoryKind;
  /** Row number of what it took the place of. */
  readonly dst: number;
  readonly replaced_id: string;
  readonly replaced: string;
}

/**
 * The forks among the shared memories of the active namespace, but for pairs that a person keeps. A store alone has none:
 * what is closed there cannot be replaced again. Each older one is paired with the newest.
 */
export async function forks(memory: Memory): Promise<Fork[]> {
  const { sql, scope, shared } = memory;
  // What nobody has accepted is nobody's to decide about.
  if (layersOf(sql).length === 1 || shared.foreign) return [];
  const ns = await namespaceNumber(sql, scope.namespace);
  const rows = await sql.all<Row>(
    `WITH replaced AS (
       SELECT dst FROM (SELECT e.dst FROM mem_edges AS e WHERE e.type = 'SUPERSEDES'
                          AND e.src >= ($ns << 32) + ${FIRST_SHARED_ROW} AND e.src < ($ns + 1) << 32 LIMIT -1)
       GROUP BY dst HAVING count(*) > 1)
     SELECT n.seq, n.id, n.kind, n.content, n.valid_from, o.seq AS dst, o.id AS replaced_id, o.content AS replaced
     FROM replaced
     CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = replaced.dst
     CROSS JOIN mem_nodes AS n ON n.seq = e.src
     CROSS JOIN mem_nodes AS o ON o.seq = replaced.dst
     WHERE n.valid_until IS NULL AND n.tombstoned = 0 AND NOT ${isProposal('n')}`,
    { ns },
  );
  const kept = rows.length === 0 ? new Set<string>() : await keptPairs(memory, ns);
  const found = new Map<string, Fork>();
  for (const { newest, others } of groupsOf(rows)) {
    for (const older of others) {
      const pair = pairKey(newest.seq, older.seq);
      if (kept.has(pair) || found.has(pair) || isKeptInFile(memory, { newer: newest, older })) continue;
      const { replaced_id, replaced, kind } = newest;
      found.set(pair, {
        ...{ namespace: scope.namespace, kind, newer: plain(newest), older: plain(older) },
        replaced: { id: replaced_id, content: replaced },
      });
    }
  }
  return [...found.values()];
}

function groupsOf(rows: readonly Row[]): { newest: Row; others: Row[] }[] {
  const groups = new Map<number, Row[]>();
  for (const row of rows) groups.set(row.dst, [...(groups.get(row.dst) ?? []), row]);
  return [...groups.values()].flatMap((group) => {
    const [newest, ...others] = group.sort((a, b) =>
      a.valid_from === b.valid_from ? b.seq - a.seq : a.valid_from < b.valid_from ? 1 : -1,
    );
    return newest ? [{ newest, others }] : [];
  });
}

function plain({ id, content, valid_from }: Row): Rewriting {
  return { id, content, valid_from };
}
