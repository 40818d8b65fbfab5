/** Builds missing code graphs automatically. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import { type MemoryFolder, memoryFolders } from '../folders';
import type { Memories } from '../memories';
import { described } from '../output';
import { placeIn } from '../place';
import { failureOf, runProgram } from '../programs';
import { onSettingChange, setting } from '../settings';

/** One that nobody can use although it was built is not built for ever. */
const MOST_TRIES = 3;

/**
 * Builds the code graph of a folder that has memories but no graph, or a foreign graph, which is not used. Without a
 * graph no memory is linked to its function, and users may not know that they need one. Later changes are followed file
 * by file. One that is deleted is built again; a build that failed is not tried again in this window. A folder with a
 * foreign store is left alone.
 */
export function autoBuild(editor: Editor, memories: Memories): vscode.Disposable {
  /** Whether to look again afterwards. */
  const looking = new Map<string, boolean>();
  /** How often it was built since one was seen. */
  const tries = new Map<string, number>();
  const look = (): void => {
    if (!vscode.workspace.isTrusted) return;
    for (const folder of memoryFolders()) {
      const key = folder.uri.toString();
      const { root, exists } = folder.store;
      if (!exists || root === undefined || !setting('autoBuild', folder.uri)) continue;
      const isLooking = looking.has(key);
      looking.set(key, isLooking);
      if (isLooking) continue;
      const start = async (): Promise<void> => {
        const { store, graph } = await memories.state(placeIn(editor, folder.uri));
        const done = tries.get(key) ?? 0;
        if (graph?.exists) tries.delete(key);
        // A store may be accepted later.
        else if (store.access === 'own' && done < MOST_TRIES) {
          tries.set(key, MOST_TRIES);
          await build(editor, folder, root);
          // It may be gone again before anybody has seen it.
          tries.set(key, done + 1);
        }
      };
      start()
        .catch((error: unknown) =>
          editor.log.warn(`The code graph of ${folder.name} was not built by itself: ${described(error)}`),
        )
        .finally(() => {
          const isDue = looking.get(key) === true;
          looking.delete(key);
          if (isDue) look();
        });
    }
  };
  look();
  return vscode.Disposable.from(
    editor.folders.onDidChange(look),
    memories.onDidChange(look),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
    onSettingChange(['autoBuild'], look),
  );
}

async function build(editor: Editor, folder: MemoryFolder, root: string): Promise<void> {
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Building the code graph') },
    async (report) => {
      const ended = await runProgram(editor, {
        program: 'svc',
        arguments: ['build', '--', root],
        folder,
        onProgress: ({ text }) => report.report({ message: text }),
      });
      if (ended.status !== 0) throw new Error(failureOf(ended));
    },
  );
}
