/** Notices what is written into a folder, which may come and go. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface FolderWatch {
  close(): void;
}

/** Calls `onWrite` when something in the folder may have been written, or the folder itself was made or taken away. */
export function watchFolder(folder: string, onWrite: () => void): FolderWatch {
  let inside: FSWatcher | undefined;
  let which: string | undefined;
  const follow = (): void => {
    const now = folderAt(folder);
    if (now === which) return;
    inside?.close();
    which = now;
    inside = now === undefined ? undefined : watching(folder, changed);
  };
  const changed = (): void => {
    follow();
    onWrite();
  };
  const beside = watching(dirname(folder), (name) => {
    if (name === null || name === basename(folder)) changed();
  });
  follow();
  return {
    close() {
      inside?.close();
      beside?.close();
    },
  };
}

/** Which folder it is; undefined where there is none. */
export function folderAt(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined;
}

/** Undefined where the system reports nothing: then the caller has to look by itself. */
function watching(path: string, onWrite: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, (_, name) => onWrite(name));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
