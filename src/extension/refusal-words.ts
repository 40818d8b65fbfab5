/** What the server refuses in words for agents, or in numbers that nobody sees, in words for people. */
import * as vscode from 'vscode';
import type { NodeDetails } from '../protocol/tool-values';
import type { Memories, Place } from './memories';

export const missingWords = (): string =>
  vscode.l10n.t('This memory is not in this namespace. It may be in another one, or it was deleted for good.');

export function overWords(operation: unknown): string {
  return operation === undefined
    ? vscode.l10n.t('There is nothing here to undo.')
    : vscode.l10n.t(
        'This can no longer be undone. It was undone before, or what it changed, or the whole store, has been changed since.',
      );
}

/** What was not done to a memory because it is not open any more. @returns any other error as it is */
export async function inOwnWords(
  memories: Memories,
  { place, nodeId }: { readonly place: Place; readonly nodeId: string },
  error: unknown,
): Promise<unknown> {
  const memory = await memories.call<NodeDetails>(place, 'node', { id: nodeId }).catch(() => undefined);
  if (memory?.tombstoned === 1) {
    return new Error(vscode.l10n.t('This memory has been forgotten in the meantime.'));
  }
  if (memory?.valid_until) {
    return new Error(vscode.l10n.t('This memory has been closed in the meantime.'));
  }
  return error;
}
