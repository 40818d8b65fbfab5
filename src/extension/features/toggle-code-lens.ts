/** Shows and hides the lenses. */
import * as vscode from 'vscode';
import { setSetting, setting } from '../settings';

/** `agentMemory.toggleCodeLens`: in all windows, until it is switched again. */
export function toggleCodeLens(): vscode.Disposable {
  return vscode.commands.registerCommand('agentMemory.toggleCodeLens', () =>
    setSetting('codeLens.enabled', !setting('codeLens.enabled')),
  );
}
