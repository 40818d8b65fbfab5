/** Looks into a database without leaving a trace beside it. */
import { Connection, MAX_READ_BYTES } from './driver';
import { type Migration, requireOurs } from './migrate';
import type { Reader } from './sql';
import { type IdTable, readId } from './store-id';

/** What a copy is opened within, an older schema brought up to date included. */
export const OPENING_LIMIT_MS = 30_000;

/** Reads a file that no process writes, without leaving a trace beside it. */
export async function readAtRest<Result>(path: string, work: (sql: Reader) => Promise<Result>): Promise<Result> {
  const connection = await Connection.open(path, 'at rest', { maxValueBytes: MAX_READ_BYTES });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** What a file says of itself before it is opened. */
export interface AtRest {
  /** 0 for a file that nothing was written to yet. */
  readonly version: number;
  readonly id: string | undefined;
}

/**
 * Looks into a file without leaving a trace beside it, and without reading its log. The log of a private copy is read.
 * @throws SvcError unavailable as opening it does
 */
export async function lookAtRest(
  path: string,
  migrations: readonly Migration[],
  table: IdTable,
  copyOf?: string,
): Promise<AtRest> {
  const mode = copyOf === undefined ? 'at rest' : 'read-write';
  const connection = await Connection.open(path, mode, { maxValueBytes: MAX_READ_BYTES, shownAs: copyOf });
  const limit = setTimeout(() => connection.interrupt(), OPENING_LIMIT_MS);
  try {
    const version = await requireOurs(connection, migrations);
    return { version, id: version === 0 ? undefined : await readId(connection, table) };
  } finally {
    clearTimeout(limit);
    await connection.close();
  }
}
