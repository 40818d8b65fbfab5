/** What is known of a sharing that is taken back. */
import type { Reader } from '../../db/sql';
import { OWN_LAYER } from '../layers';
import { textList } from '../stored-json';

/** Memories that were shared by one operation. */
export interface UndoneShare {
  /** The sharing itself. */
  readonly operation: number;
  /** Row number of one of them. */
  readonly node: number;
  readonly id: string;
  /** Ids of the shared memories whose place it took. */
  readonly in_place_of: readonly string[];
}

/** The sharing that an operation is, or that it took back or did again in the end. */
export async function undoneShare(sql: Reader, operation: number): Promise<UndoneShare | undefined> {
  const row = await sql.get<Omit<UndoneShare, 'in_place_of'> & { readonly replaced: string | null }>(
    `WITH RECURSIVE back (id, undoes, tool) AS (
       SELECT id, undoes, tool FROM mem_operations WHERE id = $operation
       UNION SELECT o.id, o.undoes, o.tool FROM back CROSS JOIN mem_operations AS o ON o.id = back.undoes)
     SELECT back.id AS operation, h.node, n.id, CASE WHEN json_valid(h.side) THEN h.side ->> 'in_place_of' END AS replaced
     FROM back CROSS JOIN mem_history AS h ON h.operation = back.id
     CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = h.node
     WHERE back.undoes IS NULL AND back.tool = 'share' LIMIT 1`,
    { operation },
  );
  return row && { ...row, in_place_of: textList(row.replaced) };
}

/** The operation before a sharing that stored what it shared, or changed it, and stands. */
export async function operationBefore(
  sql: Reader,
  { operation, node }: Pick<UndoneShare, 'operation' | 'node'>,
): Promise<number | undefined> {
  const row = await sql.get<{ id: number | null }>(
    `SELECT max(o.id) AS id FROM mem_operations AS o
     WHERE o.id < $operation AND o.undone_by IS NULL AND o.tool <> 'undo'
       AND ($node BETWEEN o.created_from AND o.created_to
            OR o.id IN (SELECT operation FROM mem_history WHERE node = $node))`,
    { operation, node },
  );
  return row?.id ?? undefined;
}
