/** Says why nothing can be changed here. */
import * as vscode from 'vscode';
import type { ForeignStores } from '../foreign-stores';
import type { Memories, Place } from '../memories';
import { offerTrust } from './trust-store';

/** In Restricted Mode memories are only read: says so. */
export function requireTrust(): boolean {
  if (vscode.workspace.isTrusted) return true;
  const manage = vscode.l10n.t('Manage Workspace Trust');
  vscode.window.showWarningMessage(notTrusted(), manage).then((chosen) => {
    if (chosen === manage) vscode.commands.executeCommand('workbench.trust.manage');
  });
  return false;
}

/** A store that came with its folder is only read: says so, with the way to accept it. */
export async function requireOwnStore(memories: Memories, foreign: ForeignStores, place: Place): Promise<boolean> {
  // It may have been accepted on the command line a moment ago.
  if (!foreign.has(place.folder) || !(await foreign.isForeign(place.folder))) return true;
  // Nobody waits for an answer: what was asked for is to be asked for again.
  void offerTrust(memories, place, onlyRead());
  return false;
}

/** What is true of every store in Restricted Mode, in a sentence. */
export function notTrusted(): string {
  return vscode.l10n.t('This workspace is not trusted, so its memory is read-only.');
}

/** What is true of a foreign store, in a sentence. */
export function onlyRead(): string {
  return vscode.l10n.t('This store came with the folder and has not been accepted, so it is read-only.');
}
