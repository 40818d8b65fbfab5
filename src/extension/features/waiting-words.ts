/** Says what waits for a person. */
import * as vscode from 'vscode';
import type { FolderState } from '../../protocol/requests';

/** A sentence for each sort; none where nothing waits. */
export function waitingWords({
  stale,
  proposed,
  unread,
}: Pick<FolderState, 'stale' | 'proposed'> & { readonly unread: { readonly length: number } }): string[] {
  return [
    ...(unread.length > 0 ? [vscode.l10n.t('Files of shared memories that cannot be read: {0}', unread.length)] : []),
    ...(stale > 0 ? [vscode.l10n.t('Memories that no longer fit their code: {0}', stale)] : []),
    ...(proposed > 0 ? [vscode.l10n.t('Proposed memories: {0}', proposed)] : []),
  ];
}
