/** Takes back operations. */
import type { NodeKind } from '../../../kinds/kinds';
import { conflict, notFound, unavailable } from '../../base/errors';
import { shownId, shownTime, shownWord } from '../../base/shown';
import type { Statement } from '../../db/sql';
import { requireOwnProposals } from '../foreign-turn';
import { layersOf, OWN_LAYER, SHARED_LAYER } from '../layers';
import type { Memory, WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { refreshContexts } from '../refresh-contexts';
import { type Action, NODE_STATE, operationOf, recorded, sidesOf } from './operations';
import { type SideEffects, sideEffectStatements } from './side-effects';

export interface Undone {
  /** The operation that was taken back. */
  readonly undone: number;
  /** What had been called. */
  readonly tool: string;
  readonly at: string;
  /** Number of the undoing itself; undoing that does it again. */
  readonly operation: number;
  /** Ids of the nodes that are as they were before it. */
  readonly node_ids: string[];
  /** Of these, those that it had stored, or brought back: they are forgotten now. */
  readonly forgotten_ids: string[];
}

export interface OperationRow {
  readonly id: number;
  readonly tool: string;
  readonly at: string;
  readonly client: string;
  /** Who did it; null in a store of one person. */
  readonly principal: number | null;
  readonly undone_by: number | null;
  /** The operation that this one took back, or did again. */
  readonly undoes: number | null;
}

interface ChangedNode {
  readonly seq: number;
  readonly id: string;
  readonly kind: NodeKind;
  readonly action: Action;
  /** JSON of SideEffects. */
  readonly side: string | null;
  /** Whether it is still as the operation left it. */
  readonly as_left: 0 | 1;
  /** It was forgotten before the operation, and not after it. */
  readonly hides: 0 | 1;
  /** It is forgotten since the operation, and was not before it. */
  readonly returns: 0 | 1;
  /** Its code was confirmed later, which links to that code keep. */
  readonly accepted_since: 0 | 1;
}

interface StoredNode {
  readonly seq: number;
  readonly id: string;
  readonly kind: NodeKind;
  /** Id of what was changed since: the node, or one that was closed for it. */
  readonly changed_since: string | null;
}

/**
 * Takes back an operation of the active namespace: without a number the last one of this process, else of this client
 * on this machine (commands of one person are processes of their own). What it stored is forgotten. An undo is an
 * operation, too, and can be undone by its number, as can doing it again.
 * @param ended ids of shared memories that hold no longer, as their files or others say: sharing them is not taken back
 * @param before operation that goes with a sharing, as far as it stored or changed what was shared: `wholeStepOf`
 * @throws SvcError not_found, or conflict when it was undone before or a node was changed since
 */
export async function undo(
  memory: WritableMemory,
  asked: number | undefined,
  ended: ReadonlySet<string> = new Set(),
  before?: number,
): Promise<Undone> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const found = await (asked === undefined ? lastOperation(memory, ns) : operationNumbered(memory, ns, asked));
  if (!found) throw nothingToUndo(asked);
  requireOwn(memory, found);
  if (found.undone_by !== null) {
    throw conflict(`Operation ${found.id} was already undone`, `To redo it, undo operation ${found.undone_by}`);
  }
  const changed = await changedNodes(memory, ns, found.id);
  const stored = await storedNodes(memory, ns, found.id);
  if (changed.length + stored.length === 0) {
    throw conflict(
      `Operation ${found.id} can no longer be undone`,
      'Its memories have been forgotten or purged. "restore" brings back forgotten ones',
    );
  }
  const along = before === undefined ? NOTHING : await changedAlong(memory, ns, before, changed);
  const others = along.changed.filter(({ as_left, id }) => as_left === 0 && !changed.some((one) => one.id === id));
  refuseChanged(found, [...changedSince(changed, stored, ended, before !== undefined), ...others]);

  await requireOwnProposals(memory, [...changed, ...along.changed, ...stored]);
  const isRedo = changed.some(({ action }) => action === 'undo');
  const own = sidesOf([...along.changed, ...changed].map((node) => ({ seq: node.seq, side: sideOf(node) })));
  // A node that was stored and changed at once is recorded once.
  const changes = [...own].map(([seq, side]) => ({ seq, side }));
  const added = stored.filter(({ seq }) => !own.has(seq));
  await recorded(memory, ns, isRedo ? 'redo' : 'undo', [...changes, ...added.map(({ seq }) => ({ seq }))], async () => {
    await memory.sql.batch([
      { sql: RESTORE, parameters: { id: found.id, ns, seqs: JSON.stringify(changed.map(({ seq }) => seq)) } },
      ...along.states,
      {
        sql: `UPDATE mem_nodes SET tombstoned = 1
         WHERE seq IN (SELECT value FROM json_each($seqs)) AND +(seq >> 32) = $ns`,
        parameters: { ns, seqs: JSON.stringify([...stored, ...along.stored].map(({ seq }) => seq)) },
      },
      ...[...changed, ...along.changed].flatMap((node) => {
        const side = sideOf(node);
        return side ? sideEffectStatements(memory, ns, node, side, isRedo) : [];
      }),
    ]);
    await refreshContexts(
      memory,
      ns,
      [...own].flatMap(([seq, side]) => (side?.filled || side?.about !== undefined ? [seq] : [])),
    );
  });
  const operation = await operationOf(memory, ns);
  await noteUndone(memory, ns, found, operation, before);
  const { id, tool, at } = found;
  const hidden = changed.filter((node) => node.hides === 1);
  const forgotten_ids = [...new Set([...hidden, ...stored, ...along.stored].map((node) => node.id))];
  const node_ids = [...new Set([...changed, ...stored, ...along.changed].map((node) => node.id))];
  return { undone: id, tool, at, operation, node_ids, forgotten_ids };
}

interface Along {
  readonly changed: readonly ChangedNode[];
  /** Bring these back to what they were. */
  readonly states: readonly Statement[];
  /** What it stored of what was shared. */
  readonly stored: readonly ChangedNode[];
}

const NOTHING: Along = { changed: [], states: [], stored: [] };

/** What an operation did, one memory of which was shared right after it. */
async function changedAlong(
  memory: WritableMemory,
  ns: number,
  operation: number,
  shared: readonly ChangedNode[],
): Promise<Along> {
  const changed = await changedNodes(memory, ns, operation);
  const range = await memory.sql.get<{ first: number | null; last: number | null }>(
    'SELECT created_from AS first, created_to AS last FROM mem_operations WHERE id = $operation AND ns = $ns',
    { operation, ns },
  );
  const isStored = ({ seq }: ChangedNode): boolean => seq >= (range?.first ?? Infinity) && seq <= (range?.last ?? 0);
  const states = {
    sql: RESTORE,
    parameters: { id: operation, ns, seqs: JSON.stringify(changed.map(({ seq }) => seq)) },
  };
  return { changed, states: changed.length === 0 ? [] : [states], stored: shared.filter(isStored) };
}

/** Ids of the shared memories that hold no longer. @param memory with the shared ones */
export async function endedShared({ sql }: Pick<Memory, 'sql'>): Promise<ReadonlySet<string>> {
  if (!layersOf(sql).includes(SHARED_LAYER)) return new Set();
  const rows = await sql.all<{ id: string }>(`SELECT id FROM ${SHARED_LAYER}.mem_nodes WHERE valid_until IS NOT NULL`);
  return new Set(rows.map(({ id }) => id));
}

/** Nodes as they were before an operation. */
const RESTORE = `UPDATE mem_nodes SET confidence = h.before ->> 0, valid_until = h.before ->> 1,
    tombstoned = h.before ->> 2, standing = h.before ->> 3
  FROM mem_history AS h WHERE h.operation = $id AND mem_nodes.seq = h.node AND +(mem_nodes.seq >> 32) = $ns
    AND h.node IN (SELECT value FROM json_each($seqs))`;

/** Where several people write, each takes back what they did themselves. @throws SvcError unavailable */
function requireOwn({ holder }: WritableMemory, { id, principal }: OperationRow): void {
  const { principal: asking, undoesOthers } = holder();
  if (asking === null || asking === principal || undoesOthers) return;
  throw unavailable(
    `Operation ${id} was done by somebody else`,
    'Nothing was undone. Ask who did it, or a maintainer of the project, to undo it',
  );
}

/**
 * What the undone operation had undone stands again; what that one had undone does not; and so on.
 * @param before operation that was taken back with it
 */
async function noteUndone(
  memory: WritableMemory,
  ns: number,
  found: OperationRow,
  operation: number,
  before: number | undefined,
): Promise<void> {
  const { sql } = memory;
  // An operation takes back only one before it.
  const chain = await sql.all<{ id: number }>(
    `WITH RECURSIVE chain (id, undoes) AS (
       SELECT id, undoes FROM mem_operations WHERE id = $id AND ns = $ns
       UNION ALL SELECT o.id, o.undoes FROM chain JOIN mem_operations AS o ON o.id = chain.undoes
       WHERE o.ns = $ns AND o.id < chain.id)
     SELECT id FROM chain ORDER BY id DESC`,
    { id: found.id, ns },
  );
  const root = chain.at(-1)?.id ?? found.id;
  const last = chain.length - 1;
  // What goes with a sharing is taken back and done again as that is.
  const along = {
    sql: `UPDATE mem_operations SET undone_by = $by WHERE ns = $ns AND (id = $before
       OR undone_by = (SELECT undone_by FROM mem_operations WHERE id = $root AND ns = $ns)
         AND id NOT IN (SELECT value FROM json_each($ids)))`,
    parameters: {
      ...{ ns, root, before: before ?? null, ids: JSON.stringify(chain.map(({ id }) => id)) },
      by: last % 2 === 1 ? null : (chain[last - 1]?.id ?? operation),
    },
  };
  await sql.batch([
    ...(before !== undefined || last > 0 ? [along] : []),
    {
      sql: 'UPDATE mem_operations SET undoes = $id WHERE id = $operation AND ns = $ns',
      parameters: { id: found.id, operation, ns },
    },
    {
      sql: `UPDATE mem_operations SET undone_by = by.value ->> 1 FROM json_each($chain) AS by
       WHERE mem_operations.id = by.value ->> 0 AND ns = $ns`,
      parameters: {
        ns,
        chain: JSON.stringify(chain.map(({ id }, i) => [id, i % 2 === 1 ? null : (chain[i - 1]?.id ?? operation)])),
      },
    },
  ]);
}

export const OPERATION_COLUMNS = 'id, tool, at, client, principal, undone_by, undoes';

export function operationNumbered({ sql }: Memory, ns: number, id: number): Promise<OperationRow | undefined> {
  return sql.get<OperationRow>(`SELECT ${OPERATION_COLUMNS} FROM mem_operations WHERE id = $id AND ns = $ns`, {
    id,
    ns,
  });
}

export async function lastOperation({ sql, holder }: Memory, ns: number): Promise<OperationRow | undefined> {
  const { principal, pid, host, client } = holder();
  const newest = (whose: string): string => `SELECT ${OPERATION_COLUMNS} FROM mem_operations
    WHERE ns = $ns AND principal IS $principal AND host = $host AND ${whose} AND undone_by IS NULL AND tool <> 'undo'
    ORDER BY id DESC LIMIT 1`;
  return (
    (await sql.get<OperationRow>(newest('pid = $pid AND client = $client'), { ns, principal, host, pid, client })) ??
    (await sql.get<OperationRow>(newest('client = $client'), { ns, principal, host, client }))
  );
}

/** The nodes that the operation changed and that are still there; of one that is shared since, the row that the store keeps. */
export function changedNodes({ sql }: Memory, ns: number, operation: number): Promise<ChangedNode[]> {
  return sql.all<ChangedNode>(
    `SELECT n.seq, n.id, n.kind, h.action, h.side, h.after IS ${NODE_STATE} AS as_left,
       h.before ->> 2 = 1 AND h.after ->> 2 = 0 AS hides, h.before ->> 2 = 0 AND h.after ->> 2 = 1 AS returns, EXISTS (
       SELECT 1 FROM mem_history AS l JOIN mem_operations AS later ON later.id = l.operation
       WHERE l.node = h.node AND l.operation > h.operation AND later.undone_by IS NULL AND later.tool <> 'undo'
         AND l.side LIKE '%"accepted":%') AS accepted_since
     FROM mem_history AS h CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = h.node
     WHERE h.operation = $operation AND +(n.seq >> 32) = $ns ORDER BY n.seq`,
    { operation, ns },
  );
}

/**
 * The memories that the operation stored and that nobody forgot. Entities stay, as they do when memories are forgotten;
 * sessions go when they came with an import. One that another memory was closed for since cannot be taken back before
 * that: neither of the two would hold; nor one that superseded another and is shared since: both would.
 */
export function storedNodes({ sql }: Memory, ns: number, operation: number): Promise<StoredNode[]> {
  return sql.all<StoredNode>(
    `SELECT n.seq, n.id, n.kind, (
       SELECT c.id FROM mem_history AS h CROSS JOIN mem_operations AS later ON later.id = h.operation
       CROSS JOIN ${OWN_LAYER}.mem_nodes AS c ON c.seq = h.node
       WHERE h.node IN (SELECT n.seq UNION ALL SELECT dst FROM ${OWN_LAYER}.mem_edges WHERE type = 'SUPERSEDES' AND src = n.seq)
         AND (h.node = n.seq OR h.side LIKE '%"superseded_by":"' || n.id || '"%')
         AND h.operation > o.id AND later.undone_by IS NULL AND later.tool <> 'undo' LIMIT 1) AS changed_since
     FROM mem_operations AS o CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq BETWEEN o.created_from AND o.created_to
     WHERE o.id = $operation AND n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32 AND (n.tombstoned = 0 OR EXISTS (
         SELECT 1 FROM mem_history AS h JOIN mem_operations AS later ON later.id = h.operation
         WHERE h.node = n.seq AND later.tool = 'share' AND later.undone_by IS NULL
           AND EXISTS (SELECT 1 FROM ${OWN_LAYER}.mem_edges WHERE type = 'SUPERSEDES' AND src = n.seq)))
       AND n.kind <> 'entity' AND NOT (n.kind = 'session' AND EXISTS (SELECT 1 FROM mem_sessions WHERE seq = n.seq))
     ORDER BY n.seq`,
    { operation, ns },
  );
}

/**
 * Those of the nodes that something else was done to since, so that they do not go back to what they were.
 * @param isShared whether it is a sharing, or one done again, that is taken back as a whole step
 */
export function changedSince(
  changed: readonly ChangedNode[],
  stored: readonly StoredNode[],
  ended: ReadonlySet<string> = new Set(),
  isShared = false,
): readonly { readonly id: string }[] {
  return [
    ...changed.filter(({ as_left }) => as_left === 0),
    ...changed.filter((node) => node.accepted_since === 1 && sideOf(node)?.linked),
    // The shared memory of this id was replaced: what comes back would hold beside what did so.
    ...changed.filter(({ id, returns }) => (isShared || returns === 1) && ended.has(id)),
    ...stored.flatMap(({ changed_since }) => (changed_since === null ? [] : [{ id: changed_since }])),
  ];
}

const MAX_NAMED = 3;

function refuseChanged({ id, tool, at }: OperationRow, changed: readonly { readonly id: string }[]): void {
  if (changed.length === 0) return;
  const named = changed.slice(0, MAX_NAMED).map((node) => shownId(node.id));
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : '';
  throw conflict(
    `${named.join(', ')}${more} changed since operation ${id} (${shownWord(tool)}, ${shownTime(at)})`,
    'Nothing was undone. See "history" of the memory, and undo the later operations first',
  );
}

function nothingToUndo(asked: number | undefined): Error {
  return asked === undefined
    ? notFound('There is no operation here to undo', 'Give the number of an operation from "history" of a memory')
    : notFound(
        `There is no operation ${asked} in this namespace`,
        'Use a number from "history" of a memory, in the namespace of that memory',
      );
}

/** A JSON object that `recorded` wrote. @throws SvcError conflict for a row that somebody else wrote */
export function sideOf({ side, id }: ChangedNode): SideEffects | undefined {
  try {
    return side === null ? undefined : (JSON.parse(side) as SideEffects);
  } catch {
    throw conflict(`The history of ${shownId(id)} was not written by svc-memory`, 'The operation cannot be undone');
  }
}
