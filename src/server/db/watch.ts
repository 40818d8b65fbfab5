/** Notices the writes of other connections and processes. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Reader } from './sql';

/**
 * A number that is another one after every commit of any other connection, ours or another process's. Says nothing
 * about other databases: compare it with what the same connection said before.
 */
export async function dataVersion(sql: Reader): Promise<number> {
  const row = await sql.get<{ data_version: number }>('PRAGMA data_version');
  return row?.data_version ?? 0;
}

export interface DatabaseWatch {
  /** False where the file system reports no changes (some network drives): then the caller has to look regularly. */
  readonly told: boolean;
  close(): void;
}

/** Calls `onWrite` when the database at `path` or its write-ahead log may have been written. */
export function watchDatabase(path: string, onWrite: () => void): DatabaseWatch {
  const name = basename(path);
  const state = { told: true };
  let watcher: FSWatcher | undefined;
  const stop = (): void => {
    state.told = false;
    watcher?.close();
    watcher = undefined;
  };
  try {
    // The folder, not the file: the log is deleted when the last process closes the database, and made again later.
    watcher = watch(dirname(path), { persistent: false }, (_, file) => {
      if (file === null || file === name || file === `${name}-wal`) onWrite();
    });
    watcher.on('error', stop);
  } catch {
    stop();
  }
  return {
    get told() {
      return state.told;
    },
    close: stop,
  };
}
