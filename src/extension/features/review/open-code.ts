/** Opens the code that a memory is about, in its file. */
import * as vscode from 'vscode';
import type { ComparedSymbol } from '../../../protocol/tool-values';
import type { Memories, Place } from '../../memories';
import { plainLine } from '../../stored-text';
import { codeFile } from '../code-file';

export async function openCodeOf(memories: Memories, place: Place, { now, was }: ComparedSymbol): Promise<void> {
  const { root } = await memories.state(place);
  // What is gone left its file, most of the time.
  const { file_path } = now ?? was;
  const file = codeFile(place, root, file_path);
  const start = new vscode.Position(Math.max(0, (now?.start_line ?? 1) - 1), 0);
  if (!now && !(await isThere(file))) {
    vscode.window.showInformationMessage(vscode.l10n.t('{0} is no longer there.', plainLine(file_path)));
    return;
  }
  await vscode.window.showTextDocument(file, { selection: new vscode.Range(start, start), preview: false });
}

async function isThere(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
