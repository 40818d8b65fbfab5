import * as vscode from 'vscode';

/** In Restricted Mode memories are only read: says so. */
export function requireTrust(): boolean {
  if (vscode.workspace.isTrusted) return true;
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const message = vscode.l10n.t('This workspace is not trusted, so its memory is only read.');
  vscode.window.showWarningMessage(message, manage).then((chosen) => {
    if (chosen === manage) vscode.commands.executeCommand('workbench.trust.manage');
  });
  return false;
}
