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
  /** Whether a store that is no stranger's reads shared memories that nobody has accepted; as last known. */
  hasFiles(folder: vscode.Uri): boolean;
  readonly onDidChange: vscode.Event<void>;
}

/** What came with a folder. */
type Foreign = 'store' | 'files';

export function watchForeignStores(editor: Editor, memories: Memories): ForeignStores {
  const changed = new vscode.EventEmitter<void>();
  let known: ReadonlyMap<string, Foreign> = new Map();
  const foreignIn = async (folder: vscode.Uri): Promise<Foreign | undefined> => {
    try {
      const { access, shared } = (await memories.state(placeIn(editor, folder))).store;
      return access === 'foreign' ? 'store' : shared === 'foreign' ? 'files' : undefined;
    } catch (error) {
      editor.log.warn(`Not known whose store ${folder.fsPath} has: ${described(error)}`);
      return undefined;
    }
  };
  const look = afterPause(async () => {
    // Where nothing was ever stored, no server is started to ask.
    const folders = memoryFolders().filter(({ store }) => store.exists);
    const answers = await Promise.all(folders.map(async ({ uri }) => [uri.toString(), await foreignIn(uri)] as const));
    const now = new Map(answers.flatMap(([uri, what]) => (what ? [[uri, what] as const] : [])));
    if (now.size === known.size && [...now].every(([uri, what]) => known.get(uri) === what)) return;
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
    isForeign: async (folder) => (await foreignIn(folder)) === 'store',
    has: (folder) => known.get(folder.toString()) === 'store',
    hasFiles: (folder) => known.get(folder.toString()) === 'files',
    onDidChange: changed.event,
    dispose: () => listening.dispose(),
  };
}
