/** Says what waits for a person. */
import * as vscode from 'vscode';
import type { FolderState } from '../../protocol/requests';

/** A sentence for each sort; none where nothing waits. */
export function waitingWords({ stale, proposed }: Pick<FolderState, 'stale' | 'proposed'>): string[] {
  return [
    ...(stale > 0 ? [vscode.l10n.t('Memories that no longer fit their code: {0}', stale)] : []),
    ...(proposed > 0 ? [vscode.l10n.t('Proposed memories: {0}', proposed)] : []),
  ];
}
