/** Notifies the user of a foreign store. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import { type MemoryFolder, memoryFolders } from '../folders';
import type { ForeignStores } from '../foreign-stores';
import type { Memories } from '../memories';
import { placeIn } from '../place';
import { withoutLinks } from '../stored-text';
import { offerTrust } from './trust-store';

const ANSWERED = 'foreignStores';
/** Stores whose notice was answered in this workspace; the oldest are forgotten. */
const MOST_ANSWERED = 50;

/** Says that a folder brought a store along: once for each store and window, and never again once it was answered. */
export function foreignStoreNotice(editor: Editor, memories: Memories, foreign: ForeignStores): vscode.Disposable {
  const state = editor.context.workspaceState;
  const answered = (): readonly string[] => state.get<readonly string[]>(ANSWERED, []);
  const shown = new Set<string>();
  const tell = async ({ uri, name }: MemoryFolder, key: string): Promise<void> => {
    await offerTrust(
      memories,
      placeIn(editor, uri),
      vscode.l10n.t(
        '{0} contains a memory store that was not made on this machine. The store is read-only and marked as foreign until you accept it.',
        withoutLinks(name),
      ),
    );
    // Whatever it was, a message that was only put aside included.
    await state.update(ANSWERED, [...answered(), key].slice(-MOST_ANSWERED));
  };
  const look = (): void => {
    // In Restricted Mode there is nothing to accept yet.
    if (!vscode.workspace.isTrusted) return;
    for (const folder of memoryFolders()) {
      const key = folder.store.file ?? folder.uri.toString();
      if (!foreign.has(folder.uri) || shown.has(key) || answered().includes(key)) continue;
      shown.add(key);
      void tell(folder, key);
    }
  };
  look();
  return vscode.Disposable.from(foreign.onDidChange(look), vscode.workspace.onDidGrantWorkspaceTrust(look));
}
