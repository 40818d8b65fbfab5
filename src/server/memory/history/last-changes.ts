/** The changes that a person may mean by the last one. */
import { isStructural } from '../../../kinds/kinds';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { Action } from './operations';
import {
  changedNodes,
  lastOperation,
  OPERATION_COLUMNS,
  type OperationRow,
  operationNumbered,
  storedNodes,
} from './undo';

/**
 * The last change of the active namespace that can be taken back, and the newer one of somebody else: of an agent, another
 * window, a command.
 * @param own operation that is this process's last one; without it, what `undo` takes without a number
 */
export async function lastChanges(memory: Memory, own: number | undefined) {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const mine = await (own === undefined ? lastOperation(memory, ns) : operationNumbered(memory, ns, own));
  const newer = await newestOfOthers(memory, ns, mine?.id ?? 0);
  return { own: await told(memory, ns, mine), newer: await told(memory, ns, newer) };
}

/** Nothing is left to take back of one that only began a session, or whose memories were forgotten since. */
function newestOfOthers({ sql, holder }: Memory, ns: number, after: number): Promise<OperationRow | undefined> {
  const { principal, pid, host, client } = holder();
  return sql.get<OperationRow>(
    `SELECT ${OPERATION_COLUMNS} FROM mem_operations AS o
     WHERE ns = $ns AND id > $after AND principal IS $principal AND undone_by IS NULL AND tool <> 'undo'
       AND NOT (pid = $pid AND host = $host AND client = $client)
       AND (EXISTS (SELECT 1 FROM mem_history AS h CROSS JOIN mem_nodes AS n ON n.seq = h.node WHERE h.operation = o.id)
         OR EXISTS (SELECT 1 FROM mem_nodes AS n WHERE n.seq BETWEEN o.created_from AND o.created_to
           AND n.tombstoned = 0 AND n.kind NOT IN ('entity', 'session')))
     ORDER BY id DESC LIMIT 1`,
    { ns, after, principal, pid, host, client },
  );
}

/** Null where something else was done to its memories since. */
async function told(memory: Memory, ns: number, found: OperationRow | undefined) {
  if (!found) return null;
  const { id, at, client } = found;
  const stored = await storedNodes(memory, ns, id);
  const isStored = new Set(stored.map(({ seq }) => seq));
  const changed = (await changedNodes(memory, ns, id)).filter(({ seq }) => !isStored.has(seq));
  const isOver = changed.some(({ as_left }) => as_left === 0) || stored.some((one) => one.changed_since !== null);
  // Of an import, its sessions are no memories.
  const all = [...changed, ...stored].sort((a, b) => Number(isStructural(a.kind)) - Number(isStructural(b.kind)));
  const [first] = all;
  if (!first || isOver) return null;
  const row = await memory.sql.get<{ content: string }>('SELECT content FROM mem_nodes WHERE seq = $seq', {
    seq: first.seq,
  });
  const did: Action = changed[0]?.action ?? 'store';
  const memories = all.filter(({ kind }) => !isStructural(kind)).length;
  return { operation: id, at, client, did, content: row?.content ?? '', memories };
}
