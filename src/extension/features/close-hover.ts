/** Closes the hover of the editor. */
import * as vscode from 'vscode';

/**
 * The editor keeps a hover in which something was clicked, so that its words and links would stay as they were. Where none
 * is open, nothing happens.
 */
export function closeHover(): void {
  vscode.commands.executeCommand('editor.action.hideHover').then(undefined, () => undefined);
}
