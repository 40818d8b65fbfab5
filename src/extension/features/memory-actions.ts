/** The commands on memories: confirm, refute, forget and so on. */
import * as vscode from 'vscode';
import type { NodeDetails } from '../../protocol/tool-values';
import type { Editor } from '../editor';
import type { ForeignStores } from '../foreign-stores';
import type { Done, Memories, Place } from '../memories';
import { described } from '../output';
import { inOwnWords } from '../refusal-words';
import { withoutLinks } from '../stored-text';
import { isOfTeam } from '../team-words';
import { ACTIONS, type Action } from './actions-on-memories';
import { closeHover } from './close-hover';
import { requireRow, type Target, targetOf, targetsOf } from './memory-targets';
import { pickMemory, pickPlace } from './pick-memory';
import { requireOwnStore, requireTrust } from './require-trust';
import type { Outcome } from './rewrite-memory';
import { tellDone, tellRefusal } from './tell-done';
import type { UnderWay } from './under-way';
import { undoCommands } from './undo-commands';

interface Around {
  /** See `SideBar`. */
  readonly reveal: (target: Target) => Promise<void>;
  readonly inHand: UnderWay;
}

/**
 * The commands on memories. Each takes a row of the side bar (and all that are selected), or `{folder, nodeId}` from a
 * hover, a CodeLens or the memory explorer; called with nothing, it asks for the memory.
 */
export function memoryActions(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  around: Around,
): vscode.Disposable {
  const mayRun = async ({ writes }: Action, places: readonly Place[]): Promise<boolean> => {
    const folders = new Map(places.map((place) => [place.folder.toString(), place]));
    for (const place of writes ? folders.values() : []) {
      if (!(await requireOwnStore(memories, foreign, place))) return false;
    }
    return true;
  };
  const start = async (action: Action, given: readonly unknown[]): Promise<string | undefined> => {
    if (action.writes && !requireTrust()) return undefined;
    try {
      const [first, selected] = given;
      // What is the team's is read here. It is selected together with others by chance.
      let targets = targetsOf(editor, first, selected).filter(({ nodeId }) => !(action.writes && isOfTeam(nodeId)));
      if (targets.length === 0) {
        if (!requireRow(given) || action.onlyRows) return undefined;
        const place = await pickPlace(editor);
        if (!place || !(await mayRun(action, [place]))) return undefined;
        const picked = await pickMemory(editor, memories, action.title(), action.wanted ?? 'open', place);
        if (!picked) return undefined;
        targets = [picked];
      }
      const places = targets.map(({ place }) => place);
      if (!(await mayRun(action, places))) return undefined;
      const clicked = targetOf(editor, first);
      const one = targets.find(({ nodeId }) => nodeId === clicked?.nodeId) ?? targets[0];
      return await run(
        action,
        memories,
        action.several || !one ? { targets } : { targets: [one], all: targets },
        around,
      );
    } catch (error) {
      editor.log.warn(`${action.command}: ${described(error)}`);
      tellRefusal(error);
      return undefined;
    }
  };
  return vscode.Disposable.from(
    ...ACTIONS.map((action) =>
      vscode.commands.registerCommand(action.command, (...given: readonly unknown[]) => {
        if (action.writes) closeHover();
        const started = start(action, given);
        // What asks something may be left standing: nothing waits for it.
        return action.several && given.length > 0 ? around.inHand.during(started) : started;
      }),
    ),
    undoCommands(editor, memories, foreign, around.inHand),
  );
}

/** @returns the id of the memory that the message names */
async function run(
  action: Action,
  memories: Memories,
  { targets, all = targets }: { readonly targets: readonly Target[]; readonly all?: readonly Target[] },
  { reveal }: Around,
): Promise<string | undefined> {
  const done: Done[] = [];
  const changed: Outcome[] = [];
  let failure: unknown;
  for (const target of targets) {
    try {
      const result = await action.run(memories, target, all);
      if (!result) continue;
      changed.push(result);
      done.push(...result.done);
    } catch (error) {
      // Earlier changes to the other memories stay, and the message offers to undo them.
      failure ??= action.wanted === 'forgotten' ? error : await inOwnWords(memories, target, error);
    }
  }
  const [first] = changed;
  if (first && action.done) {
    const { nodeId: id, place } = first.target;
    const content = first.content ?? (await memories.call<NodeDetails>(place, 'node', { id })).content;
    const isInFile = changed.some(({ inFile }) => inFile);
    tellDone(memories, action.done(withoutLinks(content), changed.length, isInFile), done);
    // Not awaited. A memory that is in no list cannot be selected.
    if (action.appears) reveal(first.target).catch(() => undefined);
  }
  memories.steps.noteStep(done);
  if (failure !== undefined) throw failure;
  return first?.target.nodeId;
}
