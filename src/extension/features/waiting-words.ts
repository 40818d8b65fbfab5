/** Says what waits for a person. */
import * as vscode from 'vscode';
import type { FolderState } from '../../protocol/requests';

/** A sentence for each sort; none where nothing waits. */
export function waitingWords({
  stale,
  proposed,
  forks,
  unread,
}: Pick<FolderState, 'stale' | 'proposed' | 'forks'> & { readonly unread: { readonly length: number } }): string[] {
  return [
    ...(unread.length > 0 ? [vscode.l10n.t('Files of shared memories that cannot be read: {0}', unread.length)] : []),
    ...(stale > 0 ? [vscode.l10n.t('Memories that no longer fit their code: {0}', stale)] : []),
    ...(forks > 0 ? [vscode.l10n.t('Memories that were rewritten in two ways: {0}', forks)] : []),
    ...(proposed > 0 ? [vscode.l10n.t('Proposed memories: {0}', proposed)] : []),
  ];
}
