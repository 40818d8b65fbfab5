import * as vscode from 'vscode';
import { type MemoryFolder, memoryFolders } from '../../folders';
import type { Place } from '../../memories';

/** @throws Error when it was closed meanwhile */
export function memoryFolder({ folder }: Place): MemoryFolder {
  const found = memoryFolders().find(({ uri }) => uri.toString() === folder.toString());
  if (!found) throw new Error(vscode.l10n.t('This folder is not open any more.'));
  return found;
}

/** Says so where nothing is remembered yet, which is no mistake of anybody's. */
export function hasStore(place: Place): boolean {
  if (memoryFolder(place).store.exists) return true;
  vscode.window.showInformationMessage(vscode.l10n.t('Nothing has been remembered here yet.'));
  return false;
}
