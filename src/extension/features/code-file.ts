import * as vscode from 'vscode';
import type { Place } from '../memories';

/**
 * The file of a code location, on the machine of its folder.
 * @param root that paths of code are relative to, as `FolderState` tells it
 * @returns undefined for a path that leads out of the root: a store may have come with somebody's repository
 */
export function codeFile({ folder }: Place, root: string, path: string): vscode.Uri | undefined {
  if (path.split(/[\\/]/).includes('..')) return undefined;
  return vscode.Uri.joinPath(folder.with({ path: vscode.Uri.file(root).path }), path);
}
