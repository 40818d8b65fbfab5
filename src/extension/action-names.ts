/** What was done to a memory, in words. */
import * as vscode from 'vscode';
import type { HistoryEvent } from '../protocol/explorer';

export function actionNames(): Readonly<Record<HistoryEvent['action'], string>> {
  return {
    store: vscode.l10n.t('Stored'),
    confirm: vscode.l10n.t('Still true'),
    refute: vscode.l10n.t('No longer true'),
    forget: vscode.l10n.t('Forgotten'),
    supersede: vscode.l10n.t('Rewritten'),
    end: vscode.l10n.t('Session ended'),
    dismiss: vscode.l10n.t('Change ignored'),
    keep: vscode.l10n.t('Kept together with a near-duplicate'),
    accept: vscode.l10n.t('Kept by a person'),
    fill: vscode.l10n.t('Stored again, with its reasons'),
    link: vscode.l10n.t('Put on code'),
    restore: vscode.l10n.t('Restored'),
    share: vscode.l10n.t('Shared with the repository'),
    undo: vscode.l10n.t('A change was undone'),
    redo: vscode.l10n.t('A change was made again'),
    anchor: vscode.l10n.t('Followed its code'),
    commit: vscode.l10n.t('Changed in its file'),
    replace: vscode.l10n.t('Took the place of another memory'),
  };
}
