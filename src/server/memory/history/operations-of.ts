/** What one process has done. */
import type { Memory } from '../memory';

export interface OperationOf {
  readonly namespace: string;
  readonly operation: number;
}

/** The operations of a process of this host that nobody has taken back, in their order. @param since ISO-8601 in UTC: a number of a process is given again */
export function operationsOf({ sql, holder }: Memory, pid: number, since: string): Promise<OperationOf[]> {
  return sql.all<OperationOf>(
    `SELECT n.name AS namespace, o.id AS operation FROM mem_operations AS o JOIN mem_namespaces AS n ON n.ns = o.ns
     WHERE o.pid = $pid AND o.host = $host AND o.at >= $since AND o.undone_by IS NULL AND o.tool <> 'undo'
     ORDER BY o.id`,
    { pid, host: holder().host, since },
  );
}

/** When an operation was done, and by which process; undefined where there is none. Tells it from one of another store. */
export async function doneAt({ sql }: Pick<Memory, 'sql'>, operation: number): Promise<string | undefined> {
  const row = await sql.get<{ done: string }>(
    `SELECT at || ' ' || pid || ' ' || host AS done FROM mem_operations WHERE id = $operation`,
    { operation },
  );
  return row?.done;
}
