/** What the server refuses in words for agents, or in numbers that nobody sees, in words for people. */
import * as vscode from 'vscode';

export const missingWords = (): string =>
  vscode.l10n.t('This memory is not in this namespace. It may be in another one, or it was deleted for good.');

export function overWords(operation: unknown): string {
  return operation === undefined
    ? vscode.l10n.t('There is nothing here to undo.')
    : vscode.l10n.t(
        'This can no longer be undone. It was undone before, or what it changed, or the whole store, has been changed since.',
      );
}
