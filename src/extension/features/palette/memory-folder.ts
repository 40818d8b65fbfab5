/** Finds the folder of a palette command. */
import * as vscode from 'vscode';
import { type MemoryFolder, memoryFolders } from '../../folders';
import type { Place } from '../../memories';

/** @throws Error when it was closed meanwhile */
export function memoryFolder({ folder }: Place): MemoryFolder {
  const found = memoryFolders().find(({ uri }) => uri.toString() === folder.toString());
  if (!found) throw new Error(vscode.l10n.t('This folder is no longer open.'));
  return found;
}

/** Tells the user that there are no memories yet; this is not an error. */
export function hasStore(place: Place): boolean {
  if (memoryFolder(place).store.exists) return true;
  vscode.window.showInformationMessage(vscode.l10n.t('There are no memories here yet.'));
  return false;
}
