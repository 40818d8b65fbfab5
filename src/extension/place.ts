/** The place of a folder's memory. */
import type * as vscode from 'vscode';
import type { Editor } from './editor';
import type { Place } from './memories';

/** The memory of a folder, in the namespace that the editor is in there. */
export function placeIn({ namespaces }: Pick<Editor, 'namespaces'>, folder: vscode.Uri): Place {
  return { folder, namespace: namespaces.of(folder) };
}
