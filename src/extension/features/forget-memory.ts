/** Forgets a memory of the store, or of the files of the repository. */
import * as vscode from 'vscode';
import type { NodeDetails } from '../../protocol/tool-values';
import type { Memories } from '../memories';
import { withoutLinks } from '../stored-text';
import type { Target } from './memory-targets';
import type { Outcome } from './rewrite-memory';
import { doneBy } from './tell-done';

/** @returns undefined where nothing was left to forget */
export async function forgetMemory(memories: Memories, target: Target): Promise<Outcome | undefined> {
  const { place, nodeId } = target;
  // Once its file is gone, nobody knows what a memory said that stood there alone.
  const { content, supersedes, tombstoned } = await memories.call<NodeDetails>(place, 'node', { id: nodeId });
  // Its row is about to go: somebody took back what stored it, or forgot it somewhere else.
  if (tombstoned === 1) {
    vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing was done, because this one is forgotten already: {0}', withoutLinks(content)),
    );
    return undefined;
  }
  const { value, operation } = await memories.act<{ path?: string }>(place, 'memory_forget', { node_id: nodeId });
  const inFile = value.path !== undefined;
  // The file said that what it replaced holds no more; the store goes on saying so.
  for (const { id } of inFile ? supersedes : []) {
    const older = await memories.call<NodeDetails>(place, 'node', { id }).catch(() => undefined);
    if (!older || older.tombstoned === 1 || older.valid_until !== null) continue;
    vscode.window.showInformationMessage(
      vscode.l10n.t('What it replaced holds again: {0}', withoutLinks(older.content)),
    );
  }
  return { target, inFile, content, done: doneBy(place, operation) };
}
