/** Keeps what each call changed. */
import { timestamp } from '../../base/clock';
import type { WritableMemory } from '../memory';
import { bothEffects, type SideEffects } from './side-effects';

/** What was done to a node. */
export const ACTIONS = [
  'store',
  'confirm',
  'refute',
  'forget',
  'supersede',
  'end',
  'dismiss',
  'keep',
  'accept',
  'fill',
  'link',
  'restore',
  'share',
  'undo',
  'redo',
] as const;
export type Action = (typeof ACTIONS)[number];

export interface Change {
  /** Row number of the node. */
  readonly seq: number;
  /** What changes beside the node, in a form that can be taken back. */
  readonly side?: SideEffects | undefined;
}

/** What was done to a node by this tool: what is shared is kept as forgotten, because it leaves the store. */
export function actionOf({ tool, action }: { readonly tool: string | null; readonly action: Action }): Action {
  return tool === 'share' && action === 'forget' ? 'share' : action;
}

/** What was done by a call, in one word: what an import replaces or fills is by the way. */
export function callOf(tool: string | null, changed: readonly { readonly action: Action }[]): Action {
  const action = tool === 'memory_import' ? undefined : changed.find((node) => node.action !== 'store')?.action;
  return actionOf({ tool, action: action ?? 'store' });
}

/** What of a node can change, as JSON [confidence, valid_until, tombstoned, standing]. */
export const NODE_STATE = 'json_array(n.confidence, n.valid_until, n.tombstoned, n.standing)';

/** Of a node that an operation changes twice: filling it in goes with what else was done. */
const ONE_ACTION = "action = iif(mem_history.action = 'fill', excluded.action, mem_history.action)";

/** What becomes of the row that is there where a node is changed again in the same operation, by what has no other side. */
export const CHANGED_AGAIN = `ON CONFLICT (operation, node) DO UPDATE SET ${ONE_ACTION}, after = excluded.after,
  side = json_patch(coalesce(mem_history.side, '{}'), excluded.side)`;

/**
 * Runs `work`, which changes these nodes, and keeps how they were before it and are after it, under the operation of
 * this tool call. A node that the operation has changed before stays one row, with what went with both changes.
 * @throws Error for what cannot be taken back together, as `bothEffects`
 */
export async function recorded<Result>(
  memory: WritableMemory,
  ns: number,
  action: Action,
  changes: readonly Change[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (changes.length === 0) return work();
  const isBegun = memory.call.operations.has(ns);
  const operation = await operationOf(memory, ns);
  const sides = sidesOf([...(isBegun ? await changedBefore(memory, operation, changes) : []), ...changes]);
  await memory.sql.run(
    `INSERT INTO mem_history (operation, node, action, before, side)
     SELECT $operation, n.seq, $action, ${NODE_STATE}, change.value ->> 1
     FROM json_each($changes) AS change CROSS JOIN mem_nodes AS n ON n.seq = change.value ->> 0
     WHERE +(n.seq >> 32) = $ns
     ON CONFLICT (operation, node) DO UPDATE SET ${ONE_ACTION}, side = excluded.side`,
    {
      ...{ operation, action, ns },
      changes: JSON.stringify([...sides].map(([seq, side]) => [seq, side ? JSON.stringify(side) : null])),
    },
  );
  const result = await work();
  await memory.sql.run(
    `UPDATE mem_history SET after = ${NODE_STATE} FROM mem_nodes AS n
     WHERE mem_history.operation = $operation AND n.seq = mem_history.node`,
    { operation },
  );
  return result;
}

/** By row number: all that went with the changes of a node. */
export function sidesOf(changes: readonly Change[]): ReadonlyMap<number, SideEffects | undefined> {
  const sides = new Map<number, SideEffects | undefined>();
  for (const { seq, side } of changes) {
    const had = sides.get(seq);
    sides.set(seq, had && side ? bothEffects(had, side) : (side ?? had));
  }
  return sides;
}

/** What went with the changes of these nodes that the operation has made already. */
async function changedBefore(
  { sql }: WritableMemory,
  operation: number,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const rows = await sql.all<{ seq: number; side: string }>(
    `SELECT h.node AS seq, h.side FROM json_each($seqs) AS one CROSS JOIN mem_history AS h ON h.node = one.value
     WHERE h.operation = $operation AND h.side IS NOT NULL`,
    { operation, seqs: JSON.stringify([...new Set(changes.map(({ seq }) => seq))]) },
  );
  return rows.map(({ seq, side }) => ({ seq, side: JSON.parse(side) as SideEffects }));
}

/** Notes that this tool call has stored the nodes `first` to `last`: one row, however many they are. */
export async function recordStored(memory: WritableMemory, ns: number, first: number, last: number): Promise<void> {
  if (last < first) return;
  const known = memory.call.operations.get(ns);
  if (known === undefined) {
    await openOperation(memory, ns, { first, last });
    return;
  }
  await memory.sql.run(
    'UPDATE mem_operations SET created_from = $first, created_to = $last WHERE id = $known AND ns = $ns',
    { known, ns, first, last },
  );
}

/** The number under which everything that this tool call does in the namespace is kept. */
export async function operationOf(memory: WritableMemory, ns: number): Promise<number> {
  return memory.call.operations.get(ns) ?? (await openOperation(memory, ns, undefined));
}

async function openOperation(
  memory: WritableMemory,
  ns: number,
  stored: { readonly first: number; readonly last: number } | undefined,
): Promise<number> {
  const { principal, pid, host, client } = memory.holder();
  const row = await memory.sql.get<{ id: number }>(
    `INSERT INTO mem_operations (ns, tool, at, principal, pid, host, client, created_from, created_to)
     VALUES ($ns, $tool, $at, $principal, $pid, $host, $client, $first, $last) RETURNING id`,
    {
      ...{ ns, principal, pid, host, client },
      tool: memory.call.tool,
      at: timestamp(memory.clock()),
      first: stored?.first ?? null,
      last: stored?.last ?? null,
    },
  );
  if (!row) throw new Error('opening an operation returned no number');
  memory.call.operations.set(ns, row.id);
  return row.id;
}

/** Statements that take everything that was kept of the nodes $seqs, which are deleted for good; before their rows are. */
export const PURGE_HISTORY: readonly string[] = [
  'DELETE FROM mem_history WHERE node IN (SELECT value FROM json_each($seqs))',
  'DELETE FROM mem_kept_pairs WHERE one IN (SELECT value FROM json_each($seqs))',
  'DELETE FROM mem_kept_pairs WHERE other IN (SELECT value FROM json_each($seqs))',
  // Some answers repeat what a memory says. Which ones is not known, so all of them go; the calls stay known.
  'UPDATE mem_calls SET answer = NULL WHERE answer IS NOT NULL AND json_array_length($seqs) > 0',
];

/**
 * Belongs after the deletion of the nodes $seqs. The number of the newest row is given out again: no operation may seem to
 * have stored what comes next.
 */
export const TRIM_STORED_RANGES = `UPDATE mem_operations SET created_to = (
     SELECT coalesce(max(seq), created_from - 1) FROM mem_nodes WHERE seq BETWEEN created_from AND created_to)
   WHERE id IN (
     SELECT o.id FROM json_each($seqs) AS gone CROSS JOIN mem_operations AS o
     ON o.created_from = (SELECT max(created_from) FROM mem_operations WHERE created_from <= gone.value)
     WHERE o.created_to >= gone.value)`;
