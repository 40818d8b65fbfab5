/** Puts a memory into a file of the repository. */
import * as vscode from 'vscode';
import type { Memories } from '../memories';
import type { Target } from './memory-targets';
import type { Outcome } from './rewrite-memory';
import { doneBy } from './tell-done';

export async function shareInRepository(memories: Memories, target: Target): Promise<Outcome> {
  const input = { node_ids: [target.nodeId] };
  const { value, operation } = await memories.act<{ stays_closed?: readonly string[] }>(target.place, 'share', input);
  if (value.stays_closed) {
    vscode.window.showInformationMessage(
      vscode.l10n.t('It replaced a memory that is not shared: a branch without its file has neither of them.'),
    );
  }
  return { target, done: doneBy(target.place, operation) };
}
