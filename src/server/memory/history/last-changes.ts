/** The changes that a person may mean by the last one. */
import { isStructural } from '../../../kinds/kinds';
import { SvcError } from '../../base/errors';
import { OWN_LAYER } from '../layers';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { type Action, callOf, NODE_STATE } from './operations';
import {
  changedNodes,
  changedSince,
  endedShared,
  lastOperation,
  OPERATION_COLUMNS,
  type OperationRow,
  operationNumbered,
  sideOf,
  storedNodes,
} from './undo';

/** As many as a person looks through. */
export const MOST_NEWER = 5;
/** Of some nothing is left to take back. */
const MOST_READ = 25;

/**
 * The last change of the active namespace that can be taken back, and the newer ones of somebody else, the newest first: of an
 * agent, another window, a command.
 * @param own operation that is this process's last one; without it, what `undo` takes without a number
 * @param share operation by which its memory was shared along with it, and which is taken back with it
 * @param mayBeUndone as the files say
 */
export async function lastChanges(
  memory: Memory,
  own: number | undefined,
  share: number | undefined,
  mayBeUndone: (operation: number) => Promise<boolean>,
) {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const mine = await (own === undefined ? lastOperation(memory, ns) : operationNumbered(memory, ns, own));
  const sharing = share === undefined ? undefined : await operationNumbered(memory, ns, share);
  const [others, ended] = await Promise.all([newestOfOthers(memory, ns, mine?.id ?? 0), endedShared(memory)]);
  const tell = (one: OperationRow | undefined) => told(memory, ns, one, ended).catch(ifRefused);
  const [last, along] = await Promise.all([mine, sharing].map(tell));
  // Since it was shared, its memory is hidden in the store.
  const shown = last ?? (mine && along && { ...along, ...(await asCalled(memory, ns, mine, along.did)) });
  const newer: NonNullable<Awaited<ReturnType<typeof told>>>[] = [];
  for (const other of others) {
    if (newer.length === MOST_NEWER) break;
    const change = await tell(other);
    if (change && (await mayBeUndone(change.operation))) newer.push(change);
  }
  return { own: shown ?? null, newer };
}

async function asCalled(memory: Memory, ns: number, { id, at, client, tool }: OperationRow, shared: Action) {
  const did = shared === 'supersede' ? shared : callOf(tool, await changedNodes(memory, ns, id));
  return { operation: id, at, client, did };
}

/** What the undoing itself would refuse is not offered. */
function ifRefused(error: unknown): undefined {
  if (!(error instanceof SvcError && error.code === 'conflict')) throw error;
}

/**
 * Nothing is left to take back of one that only began a session, or whose memories were all changed or forgotten since. It is the
 * store that is asked: of what is shared, it keeps the row that undoing brings back.
 */
function newestOfOthers({ sql, holder }: Memory, ns: number, after: number): Promise<OperationRow[]> {
  const { principal, pid, host, client } = holder();
  return sql.all<OperationRow>(
    `SELECT ${OPERATION_COLUMNS} FROM mem_operations AS o
     WHERE ns = $ns AND id > $after AND principal IS $principal AND undone_by IS NULL AND tool <> 'undo'
       AND NOT (pid = $pid AND host = $host AND client = $client)
       AND (EXISTS (SELECT 1 FROM mem_history AS h CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = h.node
           WHERE h.operation = o.id AND h.after IS ${NODE_STATE})
         OR EXISTS (SELECT 1 FROM ${OWN_LAYER}.mem_nodes AS n WHERE n.seq BETWEEN o.created_from AND o.created_to
           AND n.tombstoned = 0 AND n.kind NOT IN ('entity', 'session')))
     ORDER BY id DESC LIMIT ${MOST_READ}`,
    { ns, after, principal, pid, host, client },
  );
}

/** Undefined where it was taken back, or something else was done to its memories since. */
async function told(memory: Memory, ns: number, found: OperationRow | undefined, ended: ReadonlySet<string>) {
  if (!found || found.undone_by !== null) return undefined;
  const { id, at, client, tool } = found;
  const stored = await storedNodes(memory, ns, id);
  const changed = await changedNodes(memory, ns, id);
  // What took the place of a shared memory is taken back by its sharing.
  const inPlace = changed.filter((node) => (sideOf(node)?.in_place_of ?? []).length > 0);
  if (changedSince(changed, stored, ended, inPlace.length > 0).length > 0) return undefined;
  const ids = new Set(stored.map((node) => node.id));
  // What gave its place to one of them is the same memory, in other words.
  const others = changed.filter((node) => !ids.has(node.id) && !ids.has(sideOf(node)?.superseded_by ?? ''));
  // Of an import, its sessions are no memories.
  const all = [...stored, ...others].sort((a, b) => Number(isStructural(a.kind)) - Number(isStructural(b.kind)));
  const [first] = all;
  if (!first) return undefined;
  const row = await memory.sql.get<{ content: string }>(`SELECT content FROM ${OWN_LAYER}.mem_nodes WHERE seq = $seq`, {
    seq: first.seq,
  });
  const did = inPlace.length > 0 && tool === 'share' ? 'supersede' : callOf(tool, changed);
  const memories = all.filter(({ kind }) => !isStructural(kind)).length;
  return { operation: id, at, client, did, content: row?.content ?? '', memories };
}
