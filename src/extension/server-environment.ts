import type { MemoryFolder } from './folders';

/**
 * What a server that is started for a folder is told. On the desktop the editor's own executable is no plain Node
 * unless ELECTRON_RUN_AS_NODE says so.
 */
export function serverEnvironment(
  { path, store }: Pick<MemoryFolder, 'path' | 'store'>,
  namespace: string,
): Record<string, string> {
  return {
    ELECTRON_RUN_AS_NODE: '1',
    SVC_PROJECT_ROOT: path,
    ...(store.file === undefined ? {} : { SVC_MEMORY_DB: store.file, SVC_CREATE_STORE: 'on-write' }),
    ...(namespace === 'default' ? {} : { SVC_NAMESPACE: namespace }),
  };
}
