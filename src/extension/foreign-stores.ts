/** Knows which stores of the window are foreign. */
import * as vscode from 'vscode';
import { afterPause } from './after-pause';
import type { Editor } from './editor';
import { memoryFolders } from './folders';
import type { Memories } from './memories';
import { described } from './output';
import { placeIn } from './place';

/** Which stores of the window came with their folders, and nobody has accepted them: they are only read. */
export interface ForeignStores extends vscode.Disposable {
  /** Asks the server now. False when it does not know: the server refuses writes in any case. */
  isForeign(folder: vscode.Uri): Promise<boolean>;
  /** The last known state, at once; `onDidChange` reports changes. */
  has(folder: vscode.Uri): boolean;
  readonly onDidChange: vscode.Event<void>;
}

export function watchForeignStores(editor: Editor, memories: Memories): ForeignStores {
  const changed = new vscode.EventEmitter<void>();
  let known: ReadonlySet<string> = new Set();
  const isForeign = async (folder: vscode.Uri): Promise<boolean> => {
    try {
      return (await memories.state(placeIn(editor, folder))).store.access === 'foreign';
    } catch (error) {
      editor.log.warn(`Not known whose store ${folder.fsPath} has: ${described(error)}`);
      return false;
    }
  };
  const look = afterPause(async () => {
    // Where nothing was ever stored, no server is started to ask.
    const folders = memoryFolders().filter(({ store }) => store.exists);
    const answers = await Promise.all(folders.map(async ({ uri }) => ((await isForeign(uri)) ? [uri.toString()] : [])));
    const now = new Set(answers.flat());
    if (now.size === known.size && [...now].every((each) => known.has(each))) return;
    known = now;
    changed.fire();
  });
  look();
  const listening = vscode.Disposable.from(
    changed,
    look,
    memories.onDidChange(look),
    editor.folders.onDidChange(look),
    // One of an older version, which gave no ids, is adopted when its folder is trusted.
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
  return {
    isForeign,
    has: (folder) => known.has(folder.toString()),
    onDidChange: changed.event,
    dispose: () => listening.dispose(),
  };
}
