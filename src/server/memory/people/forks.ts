/** Finds memories that were rewritten in two ways, as on two branches that were merged. */
import type { MemoryKind } from '../../../kinds/kinds';
import { isKeptInFile, keptPairs, pairKey } from '../consolidation/near-duplicates';
import { layersOf, SHARED_LAYER, SHARED_NAMESPACE } from '../layers';
import { DEFAULT_NAMESPACE } from '../limits';
import type { Memory } from '../memory';
import { textList } from '../stored-json';

interface Rewriting {
  readonly id: string;
  readonly content: string;
  readonly valid_from: string;
  /** Where both say the same: why it is so, and what was rejected, which is what can differ. */
  readonly reasons?: readonly string[] | undefined;
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

interface Row extends Omit<Rewriting, 'reasons'> {
  readonly seq: number;
  readonly kind: MemoryKind;
  readonly rationale: string | null;
  /** JSON array of strings. */
  readonly rejected: string | null;
}

/** Row numbers. */
interface Step {
  readonly newer: number;
  readonly older: number;
}

/**
 * The forks among the shared memories of the active namespace, but for pairs that a person keeps. A store alone has none:
 * what is closed there cannot be replaced again. Each older one is paired with the newest.
 */
export async function forks(memory: Memory): Promise<Fork[]> {
  const { sql, scope, shared } = memory;
  // What nobody has accepted is nobody's to decide about.
  if (layersOf(sql).length === 1 || shared.foreign || scope.namespace !== DEFAULT_NAMESPACE) return [];
  const steps = await sql.all<Step>(
    `SELECT src AS newer, dst AS older FROM ${SHARED_LAYER}.mem_edges WHERE type = 'SUPERSEDES'`,
  );
  const groups = forkedIn(steps);
  if (groups.length === 0) return [];
  const seqs = groups.flatMap(({ replaced, ways }) => [replaced, ...ways.flatMap(({ all }) => all)]);
  const rows = await sql.all<Row & { readonly open: 0 | 1 }>(
    `SELECT n.seq, n.id, n.kind, n.content, n.rationale, n.alternatives_rejected AS rejected, n.valid_from,
            n.valid_until IS NULL AND n.tombstoned = 0 AS open
     FROM json_each($seqs) AS asked CROSS JOIN mem_nodes AS n ON n.seq = asked.value
     WHERE +(n.seq >> 32) = ${SHARED_NAMESPACE}`,
    { seqs: JSON.stringify([...new Set(seqs)]) },
  );
  const known = new Map(rows.map((row) => [row.seq, row]));
  const kept = await keptPairs(memory, SHARED_NAMESPACE);
  const found = new Map<string, Fork>();
  for (const { replaced, ways } of groups) {
    const old = known.get(replaced);
    const [newest, ...others] = ways
      .flatMap(({ head, all }) => {
        const row = known.get(head);
        return row?.open ? [{ ...row, all: all.flatMap((seq) => known.get(seq) ?? []) }] : [];
      })
      .sort(newestFirst);
    if (!old || !newest) continue;
    for (const older of others) {
      const pair = pairKey(newest.seq, older.seq);
      // What was kept stays kept when it is put in other words.
      const isKept = newest.all.some((one) =>
        older.all.some((other) => isKeptInFile(memory, { newer: one, older: other })),
      );
      if (kept.has(pair) || isKept) continue;
      const isSame = newest.content.trim() === older.content.trim();
      const both = {
        newer: plain(newest, isSame),
        older: plain(older, isSame),
        replaced: { id: old.id, content: old.content },
      };
      found.set(pair, { namespace: scope.namespace, kind: newest.kind, ...both });
    }
  }
  return [...found.values()];
}

interface Forked {
  readonly replaced: number;
  /** What has taken its place and what has taken that one's since, down to the last, each with those before it. */
  readonly ways: readonly { readonly head: number; readonly all: readonly number[] }[];
}

function forkedIn(steps: readonly Step[]): Forked[] {
  const successors = listed(steps.map(({ newer, older }) => [older, newer]));
  const predecessors = listed(steps.map(({ newer, older }) => [newer, older]));
  return [...successors].flatMap(([replaced, first]) => {
    if (first.length < 2) return [];
    const since = reachable(first, successors);
    const heads = [...since].filter((seq) => !successors.has(seq));
    if (heads.length < 2) return [];
    const wayTo = (head: number): number[] => [...reachable([head], predecessors)].filter((seq) => since.has(seq));
    return [{ replaced, ways: heads.map((head) => ({ head, all: wayTo(head) })) }];
  });
}

function listed(pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, readonly number[]> {
  const lists = new Map<number, number[]>();
  for (const [key, value] of pairs) {
    const list = lists.get(key);
    if (list) list.push(value);
    else lists.set(key, [value]);
  }
  return lists;
}

/** Files may say that two take the place of each other. */
function reachable(from: readonly number[], next: ReadonlyMap<number, readonly number[]>): ReadonlySet<number> {
  const all = new Set(from);
  for (const seq of all) for (const one of next.get(seq) ?? []) all.add(one);
  return all;
}

function newestFirst(a: Row, b: Row): number {
  return a.valid_from === b.valid_from ? b.seq - a.seq : a.valid_from < b.valid_from ? 1 : -1;
}

function plain({ id, content, valid_from, rationale, rejected }: Row, isSame: boolean): Rewriting {
  if (!isSame) return { id, content, valid_from };
  return { id, content, valid_from, reasons: [...(rationale === null ? [] : [rationale]), ...textList(rejected)] };
}
