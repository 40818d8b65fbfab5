/** The commands that take a change back. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { ForeignStores } from '../foreign-stores';
import type { Memories, Place } from '../memories';
import type { DoneTogether } from './done-together';
import { requireRow, type Target, targetOf } from './memory-targets';
import { hasStore } from './palette/memory-folder';
import { pickPlace } from './pick-memory';
import { requireOwnStore, requireTrust } from './require-trust';
import { lastDone, tellDone, tellRefusal } from './tell-done';

/** What is to be taken back; without an operation, the last thing that the editor did there. */
interface Undoable {
  readonly place: Place;
  readonly operation?: number;
}

/** An answer of the tool `undo`. */
interface Undone {
  /** The operation that was taken back. */
  readonly undone: number;
  readonly operation: number;
  readonly node_ids: readonly string[];
}

/** @param together the last change of several memories at once is taken back as one */
export function undoCommands(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  together: DoneTogether,
): vscode.Disposable {
  return vscode.Disposable.from(
    // The title of a view hands in the row that has the focus, which is not what is to be undone.
    vscode.commands.registerCommand('agentMemory.undo', () =>
      undo(memories, foreign, () => lastOfEditor(editor), together),
    ),
    vscode.commands.registerCommand('agentMemory.undoMemory', (...given: readonly unknown[]) => {
      if (!requireRow(given)) return;
      return undo(memories, foreign, () => lastOfMemory(memories, targetOf(editor, given[0])));
    }),
  );
}

async function lastOfEditor(editor: Editor): Promise<Undoable | undefined> {
  const place = await pickPlace(editor);
  return place && hasStore(place) ? { place } : undefined;
}

async function lastOfMemory(memories: Memories, target: Target | undefined): Promise<Undoable | undefined> {
  if (!target) return undefined;
  const done = await lastDone(memories, target);
  if (done) return done;
  vscode.window.showInformationMessage(vscode.l10n.t('There is no change of this memory to undo.'));
  return undefined;
}

async function undo(
  memories: Memories,
  foreign: ForeignStores,
  find: () => Promise<Undoable | undefined>,
  together?: DoneTogether,
): Promise<void> {
  if (!requireTrust()) return;
  try {
    const found = await find();
    if (!found) return;
    const { place, ...input } = found;
    if (!(await requireOwnStore(memories, foreign, place))) return;
    const first = await memories.call<Undone>(place, 'undo', input);
    const all = [first];
    for (const { operation } of together?.others(place, first.undone) ?? []) {
      // One that was taken back before is no part of it any more.
      const next = await memories.call<Undone>(place, 'undo', { operation }).catch(() => undefined);
      if (next) all.push(next);
    }
    const changed = new Set(all.flatMap(({ node_ids }) => node_ids));
    const done = all.map(({ operation }) => ({ place, operation }));
    together?.note(done);
    tellDone(memories, vscode.l10n.t('Undone. Memories restored to their previous state: {0}', changed.size), done);
  } catch (error) {
    tellRefusal(error);
  }
}
