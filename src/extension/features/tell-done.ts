/** Says what was done, and offers to undo it. */
import * as vscode from 'vscode';
import type { NodeHistory } from '../../protocol/tool-values';
import type { Done, Memories, Place } from '../memories';
import { MAX_MESSAGE_LENGTH, withoutLinks } from '../stored-text';
import type { Target } from './memory-targets';

/** What a call did, by its operation. */
export function doneBy(place: Place, operation: number | null): readonly Done[] {
  return operation === null ? [] : [{ place, operation }];
}

/** The number of the last thing that was done to a memory: it, and nothing that comes later, is what Undo takes back. */
export async function lastDone(memories: Memories, { place, nodeId }: Target): Promise<Done | undefined> {
  const { events } = await memories.call<NodeHistory>(place, 'history', { id: nodeId });
  const operation = events.findLast(
    (event) => event.operation !== null && event.undone_by === null && event.action !== 'undo',
  )?.operation;
  return typeof operation === 'number' ? { place, operation } : undefined;
}

/** Says what was done, with a button that takes it back. Does not wait for an answer. */
export function tellDone(
  memories: Memories,
  message: string,
  done: readonly Done[],
  button = vscode.l10n.t('Undo'),
): void {
  const buttons = done.length > 0 ? [button] : [];
  vscode.window.showInformationMessage(message, ...buttons).then(async (chosen) => {
    if (chosen === button) await takeBack(memories, done);
  });
}

/** What was done to several, or to something else than a text: that files are to be committed comes behind it. */
export function withFiles(words: string, inFile: boolean): string {
  return inFile ? `${words} ${vscode.l10n.t('Changed in .svc/memories, to be committed.')}` : words;
}

/** Says so where it cannot. */
export async function takeBack(memories: Memories, done: readonly Done[]): Promise<void> {
  const step: Done[] = [];
  try {
    // Last first: what was done later may stand on what was done before.
    for (const { before = [], ...last } of done.toReversed()) {
      for (const { place, operation } of [last, ...before]) {
        const taken = await memories.call<{ readonly operation: number }>(place, 'undo', { operation });
        step.push({ place, operation: taken.operation });
      }
    }
  } catch (error) {
    tellRefusal(error);
  }
  memories.steps.noteStep(step);
}

/** What the server refused, in its own words: they say what is wrong and what to do, and may quote what is stored. */
export function tellRefusal(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  vscode.window.showWarningMessage(withoutLinks(message, MAX_MESSAGE_LENGTH));
}
