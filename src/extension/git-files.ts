/** Tells when Git writes. */
import * as vscode from 'vscode';
import { memoryFolders } from './folders';

/** @param files below a folder, as a pattern: Git writes several of them one after the other */
export function onGitFiles(files: string, changed: () => void): vscode.Disposable {
  const watchers = memoryFolders().map(({ uri }) => {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(uri, files));
    return vscode.Disposable.from(
      watcher,
      ...[watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete].map((on) => on(changed)),
    );
  });
  return vscode.Disposable.from(...watchers);
}
