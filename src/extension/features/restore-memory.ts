/** Brings back a memory that was forgotten, with its file where it was shared. */
import * as vscode from 'vscode';
import type { Memories } from '../memories';
import type { Target } from './memory-targets';
import type { Outcome } from './rewrite-memory';
import { doneBy } from './tell-done';

export async function restoreMemory(memories: Memories, target: Target): Promise<Outcome> {
  const input = { node_id: target.nodeId };
  const { value, operation } = await memories.act<{ path?: string; unshared?: string }>(target.place, 'restore', input);
  if (value.unshared !== undefined) {
    vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Restored in this store alone, with the text of the store. Its file was not found here, so it is not shared any more.',
      ),
    );
  }
  return { target, inFile: value.path !== undefined, done: doneBy(target.place, operation) };
}
