/** Counts memories by what they are grouped by, for people. */
import { MEMORY_KINDS, type MemoryKind } from '../../../kinds/kinds';
import { linksMoved, MOVED_TO, movedJson, movedSymbols } from '../code/moved-links';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { isValid, type NodeFilter, passes } from './node-filter';

export const GROUPED_BY = ['kind', 'file'] as const;

export interface AskGroups extends NodeFilter {
  readonly by: (typeof GROUPED_BY)[number];
  /** Only those of no session. */
  readonly sessionless: boolean;
  /** Closed and tombstoned ones, too. */
  readonly closed: boolean;
}

export interface MemoryGroup {
  /** A kind; or the path of a file, empty for memories on no code. */
  readonly name: string;
  readonly memories: number;
  /** The file of that path is not in the working tree. */
  readonly missing?: true;
}

/** Groups of memories of the active namespace that pass a filter: kinds in their order, files by their paths. */
export async function memoryGroups(memory: Memory, asked: AskGroups): Promise<MemoryGroup[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const filter = await passes(memory, 'n', asked.kinds.length > 0 ? asked : { ...asked, kinds: MEMORY_KINDS });
  const values = { ns, ...filter.values };
  const where = `n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32 AND ${filter.condition}
    ${asked.sessionless ? 'AND n.session IS NULL' : ''} ${asked.closed ? '' : `AND ${isValid('n')}`}`;
  if (asked.by === 'kind') {
    const rows = await memory.sql.all<MemoryGroup & { readonly name: MemoryKind }>(
      `SELECT kind AS name, count(*) AS memories
       FROM (SELECT n.kind FROM mem_nodes AS n WHERE ${where} LIMIT -1) GROUP BY kind`,
      values,
    );
    return rows.sort((one, other) => MEMORY_KINDS.indexOf(one.name) - MEMORY_KINDS.indexOf(other.name));
  }
  const rows = await memory.sql.all<MemoryGroup>(
    `WITH gone AS MATERIALIZED (${linksMoved('$gone', `t.id, ${MOVED_TO} AS path`)})
     SELECT path AS name, count(DISTINCT seq) AS memories
     FROM (SELECT n.seq, coalesce(g.path, t.file_path, '') AS path
           FROM mem_nodes AS n LEFT JOIN mem_links AS t ON t.node = n.seq LEFT JOIN gone AS g ON g.id = t.id
           WHERE ${where} LIMIT -1)
     GROUP BY path ORDER BY path = '', path`,
    { ...values, gone: movedJson(await movedSymbols(memory)) },
  );
  return Promise.all(
    rows.map(async (row) =>
      row.name === '' || (await memory.code.modifiedAt(row.name)) !== undefined ? row : { ...row, missing: true },
    ),
  );
}
