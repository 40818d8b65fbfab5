/** Finds the file of a code location. */
import * as vscode from 'vscode';
import type { Place } from '../memories';

/**
 * The file of a code location, on the machine of its folder.
 * @param root that paths of code are relative to, as `FolderState` tells it
 * @throws Error for a path that leads out of the root: a store may have come with somebody's repository
 */
export function codeFile({ folder }: Place, root: string | null, path: string): vscode.Uri {
  if (root === null || path.split(/[\\/]/).includes('..')) {
    throw new Error(vscode.l10n.t('This code is outside the folder of the memory.'));
  }
  return vscode.Uri.joinPath(folder.with({ path: vscode.Uri.file(root).path }), path);
}
