/** The commands that take a change back. */
import * as vscode from 'vscode';
import type { NodePage } from '../../protocol/explorer';
import type { LastChange } from '../../protocol/requests';
import type { NamespaceCounts } from '../../protocol/tool-values';
import { isNumberOfFile } from '../../server/base/file-numbers';
import { actionNames } from '../action-names';
import type { Editor } from '../editor';
import { memoryFolders } from '../folders';
import type { ForeignStores } from '../foreign-stores';
import { counted, sessionName, shownTime } from '../kinds';
import type { Done, Memories, Place } from '../memories';
import { DEFAULT_NAMESPACE } from '../namespaces';
import { Refusal } from '../refusal-words';
import { MAX_WORD_LENGTH, withoutIcons, withoutLinks } from '../stored-text';
import { requireRow, type Target, targetOf } from './memory-targets';
import { hasStore } from './palette/memory-folder';
import { pickPlace } from './pick-memory';
import { requireOwnStore, requireTrust } from './require-trust';
import { lastDone, takeBack, tellDone, tellRefusal } from './tell-done';
import type { UnderWay } from './under-way';
import { agreesToWholeStep } from './undo-whole-step';

/** What is to be taken back; without an operation, the last thing that the editor did there. */
interface Undoable extends Partial<Done> {
  readonly place: Place;
  /** See `Memories.call`. */
  readonly isRead?: boolean;
}

/** An answer of the tool `undo`. */
interface Undone {
  /** The operation that was taken back. */
  readonly undone: number;
  /** What had been called. */
  readonly tool: string;
  readonly operation: number;
  readonly node_ids: readonly string[];
  /** Of these, those that it had stored. */
  readonly forgotten_ids: readonly string[];
}

/** @param inHand what is taken back only when it is done */
export function undoCommands(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  inHand: UnderWay,
): vscode.Disposable {
  // What is undone next is known when what was asked for before is done.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(async () => {
      // A key that comes while rows are settled is meant for all of them.
      await inHand.idle();
      await work();
    });
    return last;
  };
  return vscode.Disposable.from(
    // The title of a view hands in the row that has the focus, which is not what is to be undone.
    vscode.commands.registerCommand('agentMemory.undo', (given?: { readonly onlyHere?: unknown }) => {
      const byKey = given?.onlyHere === true;
      const find = () => lastOfWindow(editor, memories, foreign, byKey);
      const keyAt = byKey ? performance.now() : undefined;
      return inTurn(() => undo(memories, foreign, find, { wholeStep: true, keyAt }));
    }),
    vscode.commands.registerCommand('agentMemory.redo', () => inTurn(() => redo(editor, memories, foreign))),
    vscode.commands.registerCommand('agentMemory.undoMemory', (...given: readonly unknown[]) => {
      if (!requireRow(given)) return;
      return undo(memories, foreign, () => lastOfMemory(memories, targetOf(editor, given[0])));
    }),
  );
}

/** A folder may have been taken out of the window since, and a store may have become another one. */
function isInWindow(foreign: ForeignStores): (place: Place) => boolean {
  return ({ folder }) =>
    !foreign.has(folder) && memoryFolders().some(({ uri }) => uri.toString() === folder.toString());
}

/** What is taken back is to be seen. */
function isShown({ namespaces }: Editor, { folder, namespace }: Place): boolean {
  return namespaces.of(folder) === namespace;
}

/** Does again what this window has undone last: what the button beside "Undone" does. */
async function redo(editor: Editor, memories: Memories, foreign: ForeignStores): Promise<void> {
  if (!requireTrust()) return;
  const isHere = isInWindow(foreign);
  const last = memories.steps.lastUndoing((place) => isHere(place) && isShown(editor, place));
  if (!last) {
    const nothing = vscode.l10n.t('Nothing that was undone in this window is left to redo.');
    vscode.window.setStatusBarMessage(nothing, TOLD_MS);
    return;
  }
  await takeBack(memories, [...memories.steps.doneWith(last.place, last.operation).toReversed(), last]);
}

const TOLD_MS = 4_000;

/** @param only whether it is a key, which is pressed without thinking: it takes back nothing of another window, or of another day */
async function lastOfWindow(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  only: boolean,
): Promise<Undoable | undefined> {
  const isHere = isInWindow(foreign);
  const done = memories.steps.last((place) => isHere(place) && isShown(editor, place));
  // A key is pressed without thinking: what is nobody's own is not offered to it.
  if (!only) return lastOfAnybody(editor, memories, foreign, done);
  if (done) return done;
  const elsewhere = await lastNamespace(memories, isHere);
  vscode.window.showInformationMessage(
    elsewhere === undefined
      ? vscode.l10n.t('Nothing that was done in this window is left to undo.')
      : vscode.l10n.t('What is left to undo is in the namespace "{0}". Switch to it first.', withoutLinks(elsewhere)),
  );
  return undefined;
}

/** That of the last change in such a place; a restore may have taken a namespace away since. */
async function lastNamespace(memories: Memories, isHere: (place: Place) => boolean): Promise<string | undefined> {
  const known = new Map<string, ReadonlySet<string>>();
  const mayBe = ({ folder, namespace }: Place): boolean => known.get(folder.toString())?.has(namespace) ?? true;
  for (;;) {
    const last = memories.steps.last((place) => isHere(place) && mayBe(place))?.place;
    if (!last || known.has(last.folder.toString())) return last?.namespace;
    // Asked from the one that is always there: asking from one that is gone would name it.
    const asked = { folder: last.folder, namespace: DEFAULT_NAMESPACE };
    const found = await memories.call<NamespaceCounts[]>(asked, 'namespaces').catch(() => []);
    known.set(last.folder.toString(), new Set(found.map(({ name }) => name)));
  }
}

interface ChangeItem extends vscode.QuickPickItem {
  readonly undoable: Undoable;
}

/**
 * What was done last in this window, where nothing was done since. An agent, another window or a command may have: then,
 * and where this window has done nothing, the person sees what there is and chooses.
 */
async function lastOfAnybody(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  done: Done | undefined,
): Promise<Undoable | undefined> {
  const place = done?.place ?? (await pickPlace(editor));
  if (!place || !hasStore(place)) return undefined;
  // What was changed in the file of a shared memory has a number of its own.
  if (foreign.has(place.folder) || (done && (done.operation < 0 || isNumberOfFile(done.operation))))
    return done ?? { place };
  const { own, newer } = await memories.lastChanges(place, done?.operation);
  if (newer.length === 0 && (done || !own)) return done ?? { place };
  const others = done ? [...(done.before ?? []), ...memories.steps.doneWith(done.place, done.operation)] : [];
  const items = newer.map((one) => changeItem(one, { place, operation: one.operation, isRead: true }, one.client));
  if (own) {
    const where = done ? vscode.l10n.t('in this window') : vscode.l10n.t('earlier, or in another window');
    const step = { ...own, memories: own.memories + others.length };
    items.push(changeItem(step, done ?? { place, operation: own.operation, isRead: true }, where));
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Undo which change?'),
    matchOnDetail: true,
  });
  return chosen?.undoable;
}

/** @param by who did it, or where; it may be stored text */
function changeItem({ content, memories, did, at }: LastChange, undoable: Undoable, by: string): ChangeItem {
  const many = memories > 1 ? [counted.memories(memories)] : [];
  return {
    label: withoutIcons(content),
    // On a line of its own, because a long text leaves no room.
    detail: [actionNames()[did], ...many, withoutIcons(by, MAX_WORD_LENGTH), shownTime(at)].join(' · '),
    undoable,
  };
}

async function lastOfMemory(memories: Memories, target: Target | undefined): Promise<Undoable | undefined> {
  if (!target) return undefined;
  const done = await lastDone(memories, target);
  if (done) {
    const agrees = await agreesToWholeStep(memories, done.place, done.operation);
    return agrees ? { ...done, isRead: true } : undefined;
  }
  vscode.window.showInformationMessage(vscode.l10n.t('There is no change of this memory to undo.'));
  return undefined;
}

/**
 * @param wholeStep takes back with it what was done to other memories at once
 * @param keyAt when it was pressed, where it is a key in a list, where keys go on
 */
async function undo(
  memories: Memories,
  foreign: ForeignStores,
  find: () => Promise<Undoable | undefined>,
  { wholeStep = false, keyAt }: { readonly wholeStep?: boolean; readonly keyAt?: number | undefined } = {},
): Promise<void> {
  if (!requireTrust()) return;
  try {
    const found = await find();
    if (!found) return;
    const { place, before = [], ...input } = found;
    if (!(await requireOwnStore(memories, foreign, place))) return;
    const all: (Undone & { readonly place: Place })[] = [];
    let refusal: unknown;
    const takeBackIn = async (at: Place, what: object): Promise<void> => {
      try {
        all.push({ ...(await memories.call<Undone>(at, 'undo', { ...what })), place: at });
      } catch (error) {
        // What was taken back before is no part of the step any more.
        if (all.length === 0 || !(error instanceof Refusal && error.isOver)) refusal ??= error;
      }
    };
    await takeBackIn(place, input);
    if (refusal !== undefined && !(refusal instanceof Refusal)) throw refusal;
    const operation = all[0]?.undone ?? input.operation;
    const step = wholeStep && operation !== undefined ? memories.steps.doneWith(place, operation) : [];
    // Each folder is asked once, however many rows there are.
    const own = new Set([place.folder.toString()]);
    for (const one of [...before, ...step]) {
      // Each in its own store, where the number means it.
      const folder = one.place.folder.toString();
      if (!own.has(folder) && !(await requireOwnStore(memories, foreign, one.place))) continue;
      own.add(folder);
      await takeBackIn(one.place, { operation: one.operation });
    }
    if (all.length === 0) throw refusal;
    const done = all.map((one) => ({ place: one.place, operation: one.operation }));
    if (wholeStep) memories.steps.noteStep(done);
    const gone = all.flatMap(({ forgotten_ids }) => forgotten_ids);
    const back = all.flatMap(({ node_ids }) => node_ids).filter((id) => !gone.includes(id));
    // Where a rewrite is taken back, the row that had the keys is gone.
    if (gone.length === 1 || (keyAt !== undefined && gone.length === 0 && back.length === 1)) {
      void vscode.commands.executeCommand('agentMemory.keyUndone', gone[0], back, keyAt);
    }
    const words = await undoneWords(memories, all).catch(() => vscode.l10n.t('Undone.'));
    tellDone(memories, words, done, vscode.l10n.t('Redo'));
    // What stays of the step.
    if (refusal !== undefined) tellRefusal(refusal);
  } catch (error) {
    tellRefusal(error);
  }
}

/** What is as it was before: in its own words, where it is one memory. */
async function undoneWords(memories: Memories, all: readonly (Undone & { readonly place: Place })[]): Promise<string> {
  const changed = new Set(all.flatMap(({ node_ids }) => node_ids));
  const stored = new Set(all.flatMap(({ forgotten_ids }) => forgotten_ids));
  const before = [...changed].filter((id) => !stored.has(id));
  // Of one that was put in other words, the old one is there again.
  const [only, ...others] = before.length > 0 ? before : stored;
  const isForgetting = all.every(({ tool }) => tool === 'memory_forget');
  const at = all.find(({ node_ids }) => only !== undefined && node_ids.includes(only));
  if (only !== undefined && at && others.length === 0) {
    const { content, kind, session } = await memories.call<NodePage>(at.place, 'node', { id: only });
    const words = withoutLinks(kind === 'session' && session ? sessionName(session) : content);
    if (stored.has(only)) return vscode.l10n.t('Undone. Not remembered any more: {0}', words);
    if (isForgetting) return vscode.l10n.t('Undone. Remembered again: {0}', words);
    return vscode.l10n.t('Undone. As it was before: {0}', words);
  }
  return before.length === 0
    ? vscode.l10n.t('Undone. {0} memories are not remembered any more.', changed.size)
    : vscode.l10n.t('Undone. {0} memories are as they were before.', changed.size);
}
