/** Opens the code of a memory. */
import * as vscode from 'vscode';
import type { CodeLocation } from '../../protocol/tool-values';
import type { Memories } from '../memories';
import { withoutIcons } from '../stored-text';
import { codeFile } from './code-file';
import type { Target } from './memory-targets';

/** Opens the code that a memory is about; asks which, when it is about several symbols. */
export async function jumpToCode(memories: Memories, { place, nodeId }: Target): Promise<undefined> {
  const [places, state] = await Promise.all([
    memories.call<CodeLocation[]>(place, 'memory_to_code', { memory_id: nodeId }),
    memories.state(place),
  ]);
  const [only] = places;
  if (!only) {
    vscode.window.showInformationMessage(
      state.graph?.exists
        ? vscode.l10n.t('This memory is not linked to code, or its code was removed.')
        : vscode.l10n.t('There is no code graph yet, so memories are not linked to code. Build it first.'),
    );
    return;
  }
  const chosen = places.length === 1 ? only : await chooseLocation(places);
  if (!chosen) return;
  const file = codeFile(place, state.root, chosen.file_path);
  const start = new vscode.Position(Math.max(0, chosen.start_line - 1), 0);
  await vscode.window.showTextDocument(file, { selection: new vscode.Range(start, start) });
}

async function chooseLocation(places: readonly CodeLocation[]): Promise<CodeLocation | undefined> {
  const items = places.map((location) => {
    // <code_type>:<file_path>:<name>:<start_line>
    const name = location.graph_node_id.slice(location.code_type.length + location.file_path.length + 2);
    return {
      label: withoutIcons(name.replace(/:\d+$/, '')),
      description: withoutIcons(`${location.code_type} · ${location.file_path}:${location.start_line}`),
      location,
    };
  });
  const title = vscode.l10n.t('Which code?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.location;
}
