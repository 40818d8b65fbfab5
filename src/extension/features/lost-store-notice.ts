/** Notifies the user of a lost store. */
import * as vscode from 'vscode';
import { afterPause } from '../after-pause';
import type { Editor } from '../editor';
import { type MemoryFolder, memoryFolders } from '../folders';
import type { Memories, Place } from '../memories';
import { described } from '../output';
import { placeIn } from '../place';
import { SeenStores } from '../seen-stores';
import { MAX_MESSAGE_LENGTH, withoutLinks } from '../stored-text';
import { memoryFolder } from './palette/memory-folder';

const RESTORED_WITHIN_MS = 2_000;

/** Offers a backup where a store was lost or is damaged: once in each window for the same thing. */
export function lostStoreNotice(editor: Editor, memories: Memories): vscode.Disposable {
  const seen = new SeenStores(editor.context.workspaceState);
  const told = new Set<string>();

  const tell = async (folder: MemoryFolder, lost: string): Promise<void> => {
    const isThere = folder.store.exists;
    const chosen = await offerBackup(lost, isThere);
    // Once put aside, a missing store is not reported again when the folder is opened the next time.
    if (!isThere) await seen.forget(folder);
    if (chosen) await vscode.commands.executeCommand(chosen, { folder: folder.uri.toString() });
  };
  const lookAt = async (folder: MemoryFolder): Promise<void> => {
    const uri = folder.uri.toString();
    if (!(await seen.has(folder))) return;
    const lostNow = async (): Promise<string | null> => (await memories.state(placeIn(editor, folder.uri))).lost;
    if ((await lostNow()) === null) return;
    // A person who restores a backup needs no word of what it is for: it may be noticed while that is being done.
    await new Promise((done) => setTimeout(done, RESTORED_WITHIN_MS));
    const lost = await lostNow();
    if (lost === null || told.has(`${uri} ${lost}`)) return;
    told.add(`${uri} ${lost}`);
    void tell(folder, lost);
  };
  const look = afterPause(async () => {
    // In Restricted Mode nothing can be restored yet.
    if (!vscode.workspace.isTrusted) return;
    for (const folder of memoryFolders()) {
      await lookAt(folder).catch((error: unknown) => {
        editor.log.warn(`Not known whether the store of ${folder.path} was lost: ${described(error)}`);
      });
    }
  });
  look();
  return vscode.Disposable.from(
    look,
    memories.onDidChange(look),
    editor.folders.onDidChange(look),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
}

/** @returns the command that was chosen. @param isThere what lies there now takes no new store's place */
async function offerBackup(lost: string, isThere: boolean): Promise<string | undefined> {
  const restore = vscode.l10n.t('Restore a Backup…');
  const begin = vscode.l10n.t('Begin a New Store');
  const message = withoutLinks(lost, MAX_MESSAGE_LENGTH);
  const chosen = await vscode.window.showWarningMessage(message, ...(isThere ? [restore] : [restore, begin]));
  if (chosen === restore) return 'agentMemory.restoreBackup';
  return chosen === begin ? 'agentMemory.init' : undefined;
}

/** Where a store was lost, a new one takes its place by a person's word alone: nobody would miss the other. */
export async function requireNoLostStore(memories: Memories, place: Place): Promise<boolean> {
  if (memoryFolder(place).store.exists) return true;
  const { lost } = await memories.state(place);
  if (lost === null) return true;
  const chosen = await offerBackup(lost, false);
  if (chosen) await vscode.commands.executeCommand(chosen, { folder: place.folder.toString() });
  return false;
}
