/** Notifies the user of a store path that is not used. */
import * as vscode from 'vscode';
import { isUrl } from '../../store-place/store-place';
import type { Editor } from '../editor';
import { memoryFolders } from '../folders';
import { MAX_MESSAGE_LENGTH, withoutLinks } from '../stored-text';

const TOLD = 'refusedStorePath';
/** Paths that this workspace has named by and by; the oldest are forgotten. */
const MOST_TOLD = 50;

/** Says once that settings name what is not used: a store outside of the workspace whose settings they are, or no file. */
export function refusedStorePath({ context, folders, log }: Editor): vscode.Disposable {
  const look = (): void => {
    for (const { uri, name, store } of memoryFolders()) {
      if (store.refused === undefined) continue;
      const told = context.workspaceState.get<readonly string[]>(TOLD, []);
      const key = `${uri.toString()}\n${store.refused}`;
      if (told.includes(key)) continue;
      void context.workspaceState.update(TOLD, [...told, key].slice(-MOST_TOLD));
      log.warn(`the setting storePath is not used in ${name}: ${store.refused}`);
      void tell(name, store.refused);
    }
  };
  look();
  return folders.onDidChange(look);
}

async function tell(folder: string, path: string): Promise<void> {
  const open = vscode.l10n.t('Open User Settings');
  const names = [withoutLinks(path, MAX_MESSAGE_LENGTH), withoutLinks(folder, MAX_MESSAGE_LENGTH)];
  const chosen = await vscode.window.showWarningMessage(
    isUrl(path)
      ? vscode.l10n.t(
          'The settings name {0} as the store of {1}. A store is a file on this machine, so it is not used. Name the path of a file.',
          ...names,
        )
      : vscode.l10n.t(
          'The settings of this workspace name {0} as the store of {1}. The file is outside the folder, so it is not used. To use it, name it in your user settings.',
          ...names,
        ),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'agentMemory.storePath');
}
