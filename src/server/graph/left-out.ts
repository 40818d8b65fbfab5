/** The list of sources that are not in the code graph. */
import type { Database, Reader, Writer } from '../db/sql';
import { PROGRAM } from './extraction';
import type { SkippedSource } from './read-batch';
import type { SkippedFile, SkipReason } from './source-files';

/** What is known of a file from when it was read before: its bytes, and why it was left out, if it was. */
export interface KnownContent {
  readonly content_hash: string;
  readonly reason?: SkipReason;
}

/** A source that is not in the graph, as it was when it was left out. */
export interface LeftOutFile extends SkippedSource {
  readonly looked_ms: number;
}

const COLUMNS = 'path, reason, content_hash, size, modified_ms, looked_ms';

/** What this program left out; another version may take it. */
export function leftOutFiles(sql: Reader): Promise<LeftOutFile[]> {
  return sql.all<LeftOutFile>(`SELECT ${COLUMNS} FROM graph_left_out WHERE program = $program ORDER BY path`, {
    program: PROGRAM,
  });
}

/** Of the files at these paths and below them. */
export function leftOutAt(sql: Reader, paths: readonly string[]): Promise<LeftOutFile[]> {
  return sql.all<LeftOutFile>(
    `SELECT DISTINCT l.path, l.reason, l.content_hash, l.size, l.modified_ms, l.looked_ms
     FROM json_each($paths) AS asked CROSS JOIN graph_left_out AS l
       ON l.path = asked.value OR (l.path > asked.value || '/' AND l.path < asked.value || '0')
     WHERE l.program = $program`,
    { paths: JSON.stringify(paths), program: PROGRAM },
  );
}

/** @param now milliseconds */
export function noteLeftOut(graph: Database, files: readonly SkippedSource[], now: number): Promise<void> {
  return graph.transact((sql) => put(sql, files, now));
}

/** These files are in the graph, or not there any more. */
export function forgetLeftOut(graph: Database, paths: readonly string[]): Promise<number> {
  return graph.transact((sql) =>
    sql.run('DELETE FROM graph_left_out WHERE path IN (SELECT value FROM json_each($paths))', {
      paths: JSON.stringify(paths),
    }),
  );
}

/**
 * After all below a folder was looked at: nothing else is left out there.
 * @param notOpened files and folders that were not even opened
 */
export function keepLeftOut(
  graph: Database,
  below: string,
  all: readonly SkippedFile[],
  notOpened: readonly SkippedFile[],
  now: number,
): Promise<void> {
  return graph.transact(async (sql) => {
    await sql.run(
      `DELETE FROM graph_left_out WHERE path NOT IN (SELECT value FROM json_each($all))
         AND ($below = '' OR (path > $below || '/' AND path < $below || '0'))`,
      { all: JSON.stringify(all.map(({ path }) => path)), below },
    );
    await put(sql, notOpened.map(unread), now);
  });
}

/** One that was not even opened. */
export function unread({ path, reason }: SkippedFile): SkippedSource {
  return { path, reason, content_hash: '', size: 0, modified_ms: 0 };
}

async function put(sql: Writer, files: readonly SkippedSource[], now: number): Promise<void> {
  await sql.run(
    `INSERT OR REPLACE INTO graph_left_out (${COLUMNS}, program)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, $now, $program FROM json_each($rows)`,
    {
      rows: JSON.stringify(files.map((one) => [one.path, one.reason, one.content_hash, one.size, one.modified_ms])),
      now,
      program: PROGRAM,
    },
  );
}
