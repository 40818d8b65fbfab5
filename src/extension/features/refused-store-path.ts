/** Notifies the user of a store path that is not used. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import { memoryFolders } from '../folders';
import { MAX_MESSAGE_LENGTH, withoutLinks } from '../stored-text';

const TOLD = 'refusedStorePath';
/** Paths that this workspace has named by and by; the oldest are forgotten. */
const MOST_TOLD = 50;

/** Says once that the settings of a workspace name a store outside of it, which is not used. */
export function refusedStorePath({ context, folders, log }: Editor): vscode.Disposable {
  const look = (): void => {
    for (const { uri, name, store } of memoryFolders()) {
      if (store.refused === undefined) continue;
      const told = context.workspaceState.get<readonly string[]>(TOLD, []);
      const key = `${uri.toString()}\n${store.refused}`;
      if (told.includes(key)) continue;
      void context.workspaceState.update(TOLD, [...told, key].slice(-MOST_TOLD));
      log.warn(`storePath of the workspace is not used in ${name}: ${store.refused}`);
      void tell(name, store.refused);
    }
  };
  look();
  return folders.onDidChange(look);
}

async function tell(folder: string, path: string): Promise<void> {
  const open = vscode.l10n.t('Open User Settings');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The settings of this workspace name {0} as the store of {1}. The file is outside the folder, so it is not used. To use it, name it in your user settings.',
      withoutLinks(path, MAX_MESSAGE_LENGTH),
      withoutLinks(folder, MAX_MESSAGE_LENGTH),
    ),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'agentMemory.storePath');
}
