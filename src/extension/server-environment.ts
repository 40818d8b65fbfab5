/** The environment of the servers that are started. */
import type { FolderStore } from './folders';
import type { Settings } from './settings';

/** On the desktop the editor's own executable acts as plain Node only with it. */
const AS_NODE = { ELECTRON_RUN_AS_NODE: '1' } as const;

interface Folder {
  readonly path: string;
  readonly store: Pick<FolderStore, 'file' | 'kind'>;
}

/** What the settings say of what agents may do. */
export interface ForAgents extends Pick<Settings, 'keep' | 'tools'> {
  /** Tools that agents have without the servers. */
  readonly elsewhere: readonly string[];
}
const USUAL: ForAgents = { keep: 'keep', tools: 'all', elsewhere: [] };

/** The environment of a server that is started for a folder. */
export function serverEnvironment(
  folder: Folder,
  namespace: string,
  agents: ForAgents = USUAL,
): Record<string, string> {
  return { ...AS_NODE, ...folderEnvironment(folder, namespace), ...agentsEnvironment(agents) };
}

/** The environment of one server for several folders, of which the first counts where a call names none. */
export function severalEnvironment(
  folders: readonly (Folder & { readonly name: string; readonly namespace: string })[],
  agents: ForAgents,
): Record<string, string> {
  const listed = folders.map((folder) => ({
    name: folder.name,
    path: folder.path,
    environment: folderEnvironment(folder, folder.namespace),
  }));
  return { ...AS_NODE, SVC_FOLDERS: JSON.stringify(listed), ...agentsEnvironment(agents) };
}

function folderEnvironment({ path, store }: Folder, namespace: string): Record<string, string> {
  return {
    SVC_PROJECT_ROOT: path,
    ...(store.file === undefined ? {} : { SVC_MEMORY_DB: store.file, SVC_CREATE_STORE: 'on-write' }),
    // Only a setting of the person's own is a choice of a store: that of a workspace came with it.
    ...(store.kind === 'home' || store.kind === 'named' ? {} : { SVC_STORE_FROM: 'editor' }),
    ...(namespace === 'default' ? {} : { SVC_NAMESPACE: namespace }),
  };
}

function agentsEnvironment({ keep, tools, elsewhere }: ForAgents): Record<string, string> {
  return {
    ...(keep === 'keep' ? {} : { SVC_KEEP: keep }),
    ...(tools === 'all' ? {} : { SVC_TOOLS: tools }),
    ...(elsewhere.length === 0 ? {} : { SVC_TOOLS_ELSEWHERE: elsewhere.join(',') }),
  };
}
