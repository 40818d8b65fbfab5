/** What is known of a sharing that is taken back. */
import type { Reader } from '../../db/sql';
import { layersOf, OWN_LAYER, SHARED_LAYER } from '../layers';
import { textList } from '../stored-json';

/** A memory, and the shared ones whose place its file says that it takes. */
export interface SharedNode {
  /** Row number. */
  readonly node: number;
  readonly id: string;
  readonly in_place_of: readonly string[];
  /** Hash of the text of its file; undefined for what older programs shared. */
  readonly written: string | undefined;
}

/** Memories that were shared by one operation. */
export interface UndoneShare {
  /** The sharing itself. */
  readonly operation: number;
  /** It is not taken back. */
  readonly stands: boolean;
  /** Of the operation asked about: it shares, or does so again. */
  readonly shares: boolean;
  readonly nodes: readonly SharedNode[];
}

interface Row {
  readonly operation: number;
  readonly stands: 0 | 1;
  readonly depth: number;
  readonly node: number;
  readonly id: string;
  readonly replaced: string | null;
  readonly written: string | null;
}

/** The sharing that an operation is, or that it took back or did again in the end. */
export async function undoneShare(sql: Reader, operation: number): Promise<UndoneShare | undefined> {
  const rows = await sql.all<Row>(
    `WITH RECURSIVE back (id, undoes, undone_by, tool) AS (
       SELECT id, undoes, undone_by, tool FROM mem_operations WHERE id = $operation
       UNION SELECT o.id, o.undoes, o.undone_by, o.tool FROM back CROSS JOIN mem_operations AS o ON o.id = back.undoes)
     SELECT back.id AS operation, back.undone_by IS NULL AS stands, (SELECT count(*) FROM back) AS depth, h.node, n.id,
            CASE WHEN json_valid(h.side) THEN h.side ->> 'in_place_of' END AS replaced,
            CASE WHEN json_valid(h.side) THEN h.side ->> 'written' END AS written
     FROM back CROSS JOIN mem_history AS h ON h.operation = back.id
     CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = h.node
     WHERE back.undoes IS NULL AND back.tool = 'share'`,
    { operation },
  );
  const [first] = rows;
  return (
    first && {
      operation: first.operation,
      stands: first.stands === 1,
      shares: first.depth % 2 === 1,
      nodes: rows.map(({ node, id, replaced, written }) => ({
        ...{ node, id, in_place_of: textList(replaced) },
        written: written ?? undefined,
      })),
    }
  );
}

/**
 * Whether the last that was done to a node of the store, and was not taken back, is that it was shared, in a file that may be
 * on another branch, as SQL: 0 or 1.
 * @param node its row number, as SQL
 */
export function sharedOut(node: string): string {
  return `coalesce((SELECT o.tool FROM mem_history AS h CROSS JOIN mem_operations AS o ON o.id = h.operation
     WHERE h.node = ${node} AND o.undone_by IS NULL AND o.undoes IS NULL ORDER BY o.id DESC LIMIT 1), '') = 'share'`;
}

/** `sharedOut` of one node. */
export async function isSharedOut(sql: Reader, node: number): Promise<boolean> {
  const row = await sql.get<{ is_shared: 0 | 1 }>(`SELECT ${sharedOut('$node')} AS is_shared`, { node });
  return row?.is_shared === 1;
}

/** The operation before a sharing that stored a memory that it shared, or changed it, and stands. */
export async function operationBefore(sql: Reader, operation: number, node: number): Promise<number | undefined> {
  const row = await sql.get<{ id: number | null }>(
    `SELECT max(o.id) AS id FROM mem_operations AS o
     WHERE o.id < $operation AND o.undone_by IS NULL AND o.tool <> 'undo'
       AND ($node BETWEEN o.created_from AND o.created_to
            OR o.id IN (SELECT operation FROM mem_history WHERE node = $node))`,
    { operation, node },
  );
  return row?.id ?? undefined;
}

/**
 * Ids of those shared memories whose place is not taken again when an undoing is taken back: their own files say that they hold no
 * longer, or this store has put something else in their place since. What only others have replaced as well is then rewritten in
 * two ways, which review asks about.
 */
export async function replacedSince(
  sql: Reader,
  undoing: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!layersOf(sql).includes(SHARED_LAYER)) return new Set();
  const inItsPlace = `FROM ${SHARED_LAYER}.mem_edges AS e WHERE e.type = 'SUPERSEDES' AND e.dst = old.seq`;
  const rows = await sql.all<{ id: string }>(
    `SELECT old.id FROM ${SHARED_LAYER}.mem_nodes AS old
     WHERE old.id IN (SELECT value FROM json_each($ids)) AND old.valid_until IS NOT NULL
       AND (NOT EXISTS (SELECT 1 ${inItsPlace}) OR EXISTS (SELECT 1 ${inItsPlace} AND EXISTS (
         SELECT 1 FROM ${SHARED_LAYER}.mem_kept_pairs AS pair CROSS JOIN mem_history AS h ON h.node = pair.one
         WHERE pair.other = e.src AND h.operation > $undoing)))`,
    { ids: JSON.stringify(ids), undoing },
  );
  return new Set(rows.map(({ id }) => id));
}
