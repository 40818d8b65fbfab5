/** Where the rows of a long import wait, and how they become rows of the store. */
import type { Writer } from '../../db/sql';
import { insertTexts, NEW_TOUCH_COLUMNS } from '../code/touches';
import { EDGE_COLUMNS } from '../edges';
import type { Entity } from '../entities';
import { NODE_VALUES } from '../nodes';
import { type ReservedRows, releaseRows } from '../reserved-rows';

/** In place of the row number of the process's own session, which may still be to be opened. */
export const OWN_SESSION = -1;

export const STAGED_NODES = 'temp.staged_nodes';
export const STAGED_EDGES = 'temp.staged_edges';
export const STAGED_TOUCHES = 'temp.staged_touches';
export const STAGED_TEXTS = 'temp.staged_texts';
export const TEXT_COLUMNS = ['node', 'file_path', 'code_type', 'name', 'hash', 'accepted'];
/** Name, columns, and the column by which the rows of an import are told from those of another. */
export const STAGED_TABLES = [
  [STAGED_NODES, NODE_VALUES.replace('seq', 'seq INTEGER PRIMARY KEY'), 'seq'],
  [STAGED_EDGES, EDGE_COLUMNS, 'src'],
  [STAGED_TOUCHES, `${NEW_TOUCH_COLUMNS}, PRIMARY KEY (node, file_path, code_type, name, hash)`, 'node'],
  [STAGED_TEXTS, TEXT_COLUMNS.join(), 'node'],
] as const;

interface Shown {
  readonly session: number | undefined;
  readonly originRows: readonly number[];
  /** Entities that there are already, by the row number that staged edges have for them. */
  readonly taken: ReadonlyMap<number, Entity>;
}

/** Makes the staged rows of a group rows of the store. */
export async function showRows(sql: Writer, rows: ReservedRows, { session, originRows, taken }: Shown): Promise<void> {
  const bounds = { first: rows.first, last: rows.last };
  if (taken.size > 0) {
    const list = { taken: JSON.stringify([...taken].map(([seq, entity]) => [seq, entity.seq])) };
    const each = `SELECT value ->> 0 FROM json_each($taken)`;
    await sql.run(`DELETE FROM ${STAGED_NODES} WHERE seq IN (${each})`, list);
    await sql.run(`DELETE FROM mem_fts WHERE rowid IN (${each})`, list);
    await sql.run(
      `UPDATE ${STAGED_EDGES}
       SET dst = (SELECT other.value ->> 1 FROM json_each($taken) AS other WHERE other.value ->> 0 = dst)
       WHERE src BETWEEN $first AND $last AND dst IN (${each})`,
      { ...list, ...bounds },
    );
  }
  await sql.run(
    `INSERT INTO mem_nodes (${NODE_VALUES})
     SELECT ${NODE_VALUES.replace('session', `iif(session = ${OWN_SESSION}, $session, session)`).replace(
       'origin',
       `$origins ->> (-1 - origin)`,
     )}
     FROM ${STAGED_NODES} WHERE seq BETWEEN $first AND $last ORDER BY seq`,
    { ...bounds, session: session ?? null, origins: JSON.stringify(originRows) },
  );
  await sql.run(
    `INSERT OR IGNORE INTO mem_edges (${EDGE_COLUMNS})
     SELECT ${EDGE_COLUMNS} FROM ${STAGED_EDGES} WHERE src BETWEEN $first AND $last`,
    bounds,
  );
  await sql.run(
    `INSERT INTO mem_links (${NEW_TOUCH_COLUMNS})
     SELECT ${NEW_TOUCH_COLUMNS} FROM ${STAGED_TOUCHES} WHERE node BETWEEN $first AND $last`,
    bounds,
  );
  const texts = `(SELECT * FROM ${STAGED_TEXTS} WHERE node BETWEEN $first AND $last)`;
  await sql.run(
    insertTexts(texts, (i) => `new.${TEXT_COLUMNS[i]}`),
    bounds,
  );
  await releaseRows(sql, rows);
}
