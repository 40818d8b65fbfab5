/** The active namespace of each folder. */
import * as vscode from 'vscode';
import { onSettingChange, setting } from './settings';

/** The namespace that the editor, and what it starts, uses in each folder. */
export interface Namespaces extends vscode.Disposable {
  of(folder: vscode.Uri): string;
  /** Kept for this workspace, on this machine. */
  change(folder: vscode.Uri, namespace: string): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

export const DEFAULT_NAMESPACE = 'default';

/** What was switched to in this workspace; else what the setting `namespace` says; else the default one. */
export function openNamespaces(state: vscode.Memento): Namespaces {
  const changed = new vscode.EventEmitter<void>();
  const settings = onSettingChange(['namespace'], () => changed.fire());
  return {
    onDidChange: changed.event,
    of: (folder) => (state.get<string>(keyOf(folder)) ?? setting('namespace', folder).trim()) || DEFAULT_NAMESPACE,
    async change(folder, namespace) {
      await state.update(keyOf(folder), namespace);
      changed.fire();
    },
    dispose() {
      settings.dispose();
      changed.dispose();
    },
  };
}

function keyOf(folder: vscode.Uri): string {
  return `namespace:${folder.toString()}`;
}
