/** Asks before more than one memory is taken back. */
import * as vscode from 'vscode';
import type { Memories, Place } from '../memories';

/**
 * A change that stands in the history of one memory may be a step of many, as an import is, and all of it is taken back.
 * @param operation read from the history
 */
export async function agreesToWholeStep(memories: Memories, place: Place, operation: number): Promise<boolean> {
  // What was changed in the file of a shared memory is about one.
  if (operation < 0) return true;
  const { own } = await memories.lastChanges(place, operation);
  if (!own || own.memories < 2) return true;
  const button = vscode.l10n.t('Undo All of It');
  const question = vscode.l10n.t('This was one step with {0} memories. All of it is undone.', own.memories);
  return (await vscode.window.showWarningMessage(question, { modal: true }, button)) === button;
}
