/** The environment of the servers that are started. */
import type { FolderStore } from './folders';
import type { Settings } from './settings';

/**
 * The environment of a server that is started for a folder. On the desktop the editor's own executable acts as plain
 * Node only with ELECTRON_RUN_AS_NODE.
 */
export function serverEnvironment(
  { path, store }: { readonly path: string; readonly store: Pick<FolderStore, 'file' | 'kind'> },
  namespace: string,
  keep: Settings['keep'] = 'keep',
): Record<string, string> {
  return {
    ELECTRON_RUN_AS_NODE: '1',
    SVC_PROJECT_ROOT: path,
    ...(store.file === undefined ? {} : { SVC_MEMORY_DB: store.file, SVC_CREATE_STORE: 'on-write' }),
    // Only a setting of the person's own is a choice of a store: that of a workspace came with it.
    ...(store.kind === 'home' || store.kind === 'named' ? {} : { SVC_STORE_FROM: 'editor' }),
    ...(namespace === 'default' ? {} : { SVC_NAMESPACE: namespace }),
    ...(keep === 'keep' ? {} : { SVC_KEEP: keep }),
  };
}
