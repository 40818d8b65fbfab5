import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import { codeRoot, type MemoryFolder, memoryFolders } from '../folders';
import { described } from '../output';
import { failureOf, runProgram } from '../programs';
import { onSettingChange, setting } from '../settings';

/**
 * Builds the code graph of a folder that has memories and none yet: without it no memory is on its function, and
 * nobody would know that something is to be built. Once for each folder and window; later changes are followed file
 * by file.
 */
export function autoBuild(editor: Editor): vscode.Disposable {
  const looked = new Set<string>();
  const look = (): void => {
    if (!vscode.workspace.isTrusted) return;
    for (const folder of memoryFolders()) {
      const key = folder.uri.toString();
      if (!folder.store.exists || looked.has(key) || !setting('autoBuild', folder.uri)) continue;
      looked.add(key);
      const root = codeRoot(folder);
      if (root === undefined || existsSync(join(root, '.svc', 'graph.db'))) continue;
      build(editor, folder, root).catch((error: unknown) =>
        editor.log.warn(`The code graph of ${folder.name} was not built by itself: ${described(error)}`),
      );
    }
  };
  look();
  return vscode.Disposable.from(
    editor.folders.onDidChange(look),
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
        onProgress: (message) => report.report({ message }),
      });
      if (ended.status !== 0) throw new Error(failureOf(ended));
    },
  );
}
