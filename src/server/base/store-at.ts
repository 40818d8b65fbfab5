/** Tells whether a store, or its log alone, lies at a path. */
import { lstatSync, type Stats } from 'node:fs';

/** What lies where a store is: its file, or the log that a program left there without it. */

/** Shorter ones hold nothing: a log begins with a header of this length. */
const LOG_HEADER_BYTES = 32;

/** What was written last stands in the log alone, until it is in the file. */
export function logOf(path: string): string {
  return `${path}-wal`;
}

/** Whether something lies there that has to be reported, be it a link that leads nowhere. */
export function isStoreAt(path: string): boolean {
  return statsOf(path) !== undefined || isLogWithoutFile(path);
}

/**
 * A log that holds something lies there, and its file does not: SQLite would delete it as soon as it makes a file, and
 * an empty file counts as none.
 */
export function isLogWithoutFile(path: string): boolean {
  const file = statsOf(path);
  if (file && (!file.isFile() || file.size > 0)) return false;
  return (statsOf(logOf(path))?.size ?? 0) > LOG_HEADER_BYTES;
}

/**
 * @param look asks the system about a path
 * @returns undefined also where links lead in a circle: nothing lies there
 */
export function unlessInCircle<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') return undefined;
    throw error;
  }
}

/** A link is what it is, not what it leads to; what may not be looked at is not there. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
