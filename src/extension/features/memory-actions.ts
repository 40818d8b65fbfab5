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
import { anchorAtCursor } from './anchor';
import { closeHover } from './close-hover';
import { forgetMemory } from './forget-memory';
import { jumpToCode } from './jump-to-code';
import { requireRow, type Target, targetOf, targetsOf } from './memory-targets';
import { pickMemory, pickPlace, type Wanted } from './pick-memory';
import { requireOwnStore, requireTrust } from './require-trust';
import { restoreMemory } from './restore-memory';
import { editProposal, type Outcome, supersede } from './rewrite-memory';
import { shareInRepository } from './share-in-repository';
import { copyLinks, copyTexts, insertIntoChat } from './share-memory';
import { doneBy, tellDone, tellRefusal, withFiles } from './tell-done';
import type { UnderWay } from './under-way';
import { undoCommands } from './undo-commands';

/** What a person can do with one memory or several. */
interface Action {
  readonly command: string;
  /** Of the picker, when the command is called with nothing to work on. */
  readonly title: () => string;
  readonly wanted?: Wanted;
  readonly writes: boolean;
  /** It makes sense on a row of the Review view only, so it asks for no memory. */
  readonly onlyRows?: true;
  /** It is done to each by itself. Not there: to the one whose row was clicked, or to all at once. */
  readonly several?: true;
  /** A memory comes into the lists by it, and is selected there. */
  readonly appears?: true;
  /** @returns undefined when nothing was done */
  readonly run: (memories: Memories, target: Target, all: readonly Target[]) => Promise<Outcome | undefined>;
  /** Said afterwards. */
  readonly done?: (content: string, count: number, inFile: boolean) => string;
}

const ACTIONS: readonly Action[] = [
  {
    command: 'agentMemory.confirm',
    title: () => vscode.l10n.t('Which memory is still true?'),
    writes: true,
    several: true,
    run: (memories, target) => verify(memories, target, 'confirm'),
    done: (content, count, inFile) => {
      if (count > 1) return withFiles(vscode.l10n.t('Still true: {0} memories.', count), inFile);
      return inFile
        ? vscode.l10n.t('Still true, in .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('Still true: {0}', content);
    },
  },
  {
    command: 'agentMemory.refute',
    title: () => vscode.l10n.t('Which memory is no longer true?'),
    writes: true,
    several: true,
    run: (memories, target) => verify(memories, target, 'refute'),
    done: (content, count, inFile) => {
      if (count > 1)
        return withFiles(vscode.l10n.t('No longer true: {0} memories. Agents no longer see them.', count), inFile);
      return inFile
        ? vscode.l10n.t('No longer true, in .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('No longer true: {0}', content);
    },
  },
  {
    command: 'agentMemory.forget',
    title: () => vscode.l10n.t('Forget which memory?'),
    writes: true,
    several: true,
    run: forgetMemory,
    done: (content, count, inFile) => {
      if (count > 1) return withFiles(vscode.l10n.t('Forgot {0} memories.', count), inFile);
      return inFile
        ? vscode.l10n.t('Forgotten, and its file is gone from .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('Forgotten: {0}', content);
    },
  },
  {
    command: 'agentMemory.shareInRepository',
    title: () => vscode.l10n.t('Share which memory with the repository?'),
    wanted: 'unshared',
    writes: true,
    several: true,
    run: shareInRepository,
    done: (content, count) =>
      count === 1
        ? vscode.l10n.t('Shared in .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('Shared {0} memories in .svc/memories, to be committed.', count),
  },
  {
    command: 'agentMemory.restore',
    title: () => vscode.l10n.t('Restore which forgotten memory?'),
    wanted: 'forgotten',
    writes: true,
    several: true,
    appears: true,
    run: restoreMemory,
    done: (content, count, inFile) => {
      if (count > 1) return vscode.l10n.t('Restored {0} memories.', count);
      return inFile
        ? vscode.l10n.t('Restored, with its file in .svc/memories: {0}', content)
        : vscode.l10n.t('Restored: {0}', content);
    },
  },
  {
    command: 'agentMemory.dismiss',
    title: () => vscode.l10n.t('Ignore the change for which memory?'),
    writes: true,
    several: true,
    run: (memories, target) => settle(memories, target, 'dismiss'),
    done: (content, count) =>
      count === 1
        ? vscode.l10n.t('Change ignored: {0}', content)
        : vscode.l10n.t('Change ignored for {0} memories.', count),
  },
  {
    command: 'agentMemory.mergeDuplicate',
    title: () => vscode.l10n.t('Replace which near-duplicate?'),
    onlyRows: true,
    writes: true,
    several: true,
    run: (memories, target) => settle(memories, target, 'merge'),
    done: (content, count, inFile) => {
      if (count > 1)
        return withFiles(vscode.l10n.t('Replaced {0} memories with their newest duplicates.', count), inFile);
      return inFile
        ? vscode.l10n.t('Replaced with the newest, in .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('Replaced with the newest duplicate: {0}', content);
    },
  },
  {
    command: 'agentMemory.keepDuplicate',
    title: () => vscode.l10n.t('Keep which near-duplicate?'),
    onlyRows: true,
    writes: true,
    several: true,
    run: (memories, target) => settle(memories, target, 'keep'),
    done: (content, count, inFile) => {
      if (count > 1) return withFiles(vscode.l10n.t('Kept {0} memories.', count), inFile);
      return inFile
        ? vscode.l10n.t('Kept both, in .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('Kept both: {0}', content);
    },
  },
  {
    command: 'agentMemory.keepProposal',
    title: () => vscode.l10n.t('Keep which proposal?'),
    onlyRows: true,
    writes: true,
    several: true,
    run: (memories, target) => settle(memories, target, 'keep'),
    done: (content, count) =>
      count === 1 ? vscode.l10n.t('Kept: {0}', content) : vscode.l10n.t('Kept {0} memories.', count),
  },
  {
    command: 'agentMemory.dropProposal',
    title: () => vscode.l10n.t('Drop which proposal?'),
    onlyRows: true,
    writes: true,
    several: true,
    run: (memories, target) => settle(memories, target, 'drop'),
    done: (content, count) =>
      count === 1 ? vscode.l10n.t('Dropped: {0}', content) : vscode.l10n.t('Dropped {0} memories.', count),
  },
  {
    command: 'agentMemory.editProposal',
    title: () => vscode.l10n.t('Rewrite which proposal?'),
    onlyRows: true,
    writes: true,
    appears: true,
    run: editProposal,
    done: (content) => vscode.l10n.t('Kept in your words: {0}', content),
  },
  {
    command: 'agentMemory.supersede',
    title: () => vscode.l10n.t('Rewrite which memory?'),
    writes: true,
    appears: true,
    run: supersede,
    done: (content, _, inFile) =>
      inFile
        ? vscode.l10n.t('Rewritten in .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('Rewritten: {0}', content),
  },
  {
    command: 'agentMemory.anchorHere',
    title: () => vscode.l10n.t('Put which memory on the code here?'),
    writes: true,
    several: true,
    run: anchorAtCursor,
    done: (content, count, inFile) => {
      if (count > 1) return withFiles(vscode.l10n.t('{0} memories are on the code at the cursor now.', count), inFile);
      return inFile
        ? vscode.l10n.t('On the code at the cursor now, in .svc/memories, to be committed: {0}', content)
        : vscode.l10n.t('On the code at the cursor now: {0}', content);
    },
  },
  {
    command: 'agentMemory.jumpToCode',
    title: () => vscode.l10n.t('Go to the code of which memory?'),
    writes: false,
    run: jumpToCode,
  },
  {
    command: 'agentMemory.copyLink',
    title: () => vscode.l10n.t('Copy a link to which memory?'),
    writes: false,
    run: (memories, _, all) => copyLinks(memories, all),
  },
  {
    command: 'agentMemory.insertIntoChat',
    title: () => vscode.l10n.t('Insert which memory into the chat?'),
    writes: false,
    run: (memories, _, all) => insertIntoChat(memories, all),
  },
  {
    command: 'agentMemory.copyMemory',
    title: () => vscode.l10n.t('Copy which memory?'),
    writes: false,
    run: (memories, _, all) => copyTexts(memories, all),
  },
];

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

async function act(
  memories: Memories,
  target: Target,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  type Answer = { path?: string; paths?: readonly string[]; unchanged?: true };
  const { value, operation } = await memories.act<Answer>(target.place, tool, input);
  const inFile = !value.unchanged && (value.path ?? value.paths?.[0]) !== undefined;
  return { target, inFile, done: doneBy(target.place, operation) };
}

/** @param action of the tool `settle` */
function settle(memories: Memories, target: Target, action: 'dismiss' | 'merge' | 'keep' | 'drop'): Promise<Outcome> {
  const { nodeId, otherId } = target;
  const other = action === 'dismiss' || otherId === undefined ? {} : { other_id: otherId };
  return act(memories, target, 'settle', { action, node_id: nodeId, ...other });
}

function verify(memories: Memories, target: Target, status: 'confirm' | 'refute'): Promise<Outcome> {
  return act(memories, target, 'memory_verify', { node_id: target.nodeId, status });
}
