/** Opens code beside the explorer. */
import * as vscode from 'vscode';
import type { CodePlace } from '../../../protocol/explorer';
import type { Memories, Place } from '../../memories';
import { codeFile } from '../code-file';

/** Opens code beside the explorer, at the line where the symbol begins. */
export async function showCode(
  memories: Memories,
  place: Place,
  { file_path, start_line }: CodePlace,
  column: vscode.ViewColumn | undefined,
): Promise<void> {
  const { root } = await memories.state(place);
  const file = codeFile(place, root, file_path);
  const beside = column === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  const start = new vscode.Position(Math.max(0, start_line - 1), 0);
  await vscode.window.showTextDocument(file, { viewColumn: beside, selection: new vscode.Range(start, start) });
}
