/** Row numbers that a long import has taken before its rows are to be seen. */
import type { Database, Reader, Writer } from '../db/sql';

/** Rows are there from `first` to `last`, of which only the full-text index knows yet. */
export interface ReservedRows {
  readonly ns: number;
  readonly first: number;
  readonly last: number;
}

/** By a process, which may be killed. */
export interface Reservation extends ReservedRows {
  readonly pid: number;
  readonly host: string;
}

/** The last number that is reserved in a namespace; 0 for none. @param ns as SQL */
const lastReserved = (ns: string): string => `coalesce((SELECT max(value ->> 'last') FROM mem_flags
   WHERE name >= 'reserved:' || ${ns} || ':' AND name < 'reserved:' || ${ns} || ';'), 0)`;

/** A query of the highest row number that was given out in a namespace, as "last". @param ns as SQL */
export const lastSeqIn = (ns: string): string =>
  `SELECT max(coalesce(max(seq), ${ns} << 32), ${lastReserved(ns)}) AS last FROM mem_nodes
   WHERE seq >= ${ns} << 32 AND seq < (${ns} + 1) << 32`;

/** Full-text entries that one transaction deletes. */
const DELETED_AT_ONCE = 2_500;

export async function reserveRows(sql: Writer, { ns, first, last, pid, host }: Reservation): Promise<void> {
  await sql.run('INSERT INTO mem_flags (name, value) VALUES ($name, $value)', {
    name: nameOf({ ns, first, last }),
    value: JSON.stringify({ last, pid, host }),
  });
}

/** In the transaction that shows the rows. @returns false where somebody took them for those of a killed process */
export async function releaseRows(sql: Writer, rows: ReservedRows): Promise<boolean> {
  return (await sql.run('DELETE FROM mem_flags WHERE name = $name', { name: nameOf(rows) })) > 0;
}

/** Removes what was written for rows that nobody will ever see, in pieces that let others write between them. */
export async function dropReserved(database: Database, rows: ReservedRows): Promise<void> {
  const { ns, last } = rows;
  for (let { first } = rows; first <= last; first += DELETED_AT_ONCE) {
    await database.transact(async (sql) => {
      // They may be shown by now.
      if (!(await isReserved(sql, rows))) return;
      await sql.run(
        `DELETE FROM mem_fts WHERE rowid BETWEEN ($ns << 32) + $from AND ($ns << 32) + $to`,
        // Numbers over 2^31 are bound as reals, which the full-text index ignores as bounds.
        { ns, from: offset(first), to: offset(Math.min(last, first + DELETED_AT_ONCE - 1)) },
      );
    });
  }
  await database.transact((sql) => releaseRows(sql, rows));
}

/** Removes what processes left that were killed. @param isGone whether the process has ended, as far as can be told */
export async function dropLeftRows(
  database: Database,
  isGone: (holder: { readonly pid: number; readonly host: string }) => boolean,
): Promise<void> {
  for (const reservation of await reservations(database)) {
    if (isGone(reservation)) await dropReserved(database, reservation);
  }
}

async function reservations(sql: Reader): Promise<Reservation[]> {
  const rows = await sql.all<Omit<Reservation, 'ns' | 'first'> & { name: string }>(
    `SELECT name, value ->> 'last' AS last, value ->> 'pid' AS pid, value ->> 'host' AS host FROM mem_flags
     WHERE name >= 'reserved:' AND name < 'reserved;'`,
  );
  return rows.map(({ name, ...row }) => {
    const [, ns, first] = name.split(':').map(Number);
    return { ...row, ns: ns ?? 0, first: first ?? 0 };
  });
}

export async function isReserved(sql: Reader, rows: ReservedRows): Promise<boolean> {
  return (await sql.get('SELECT 1 FROM mem_flags WHERE name = $name', { name: nameOf(rows) })) !== undefined;
}

const nameOf = ({ ns, first }: ReservedRows): string => `reserved:${ns}:${first}`;

const offset = (seq: number): number => seq % 2 ** 32;
