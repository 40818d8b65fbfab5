/** What can be done with memories, what each asks for, and what is said of it. */
import * as vscode from 'vscode';
import type { Memories } from '../memories';
import { anchorAtCursor } from './anchor';
import { forgetMemory } from './forget-memory';
import { jumpToCode } from './jump-to-code';
import type { Target } from './memory-targets';
import type { Wanted } from './pick-memory';
import { restoreMemory } from './restore-memory';
import { editProposal, type Outcome, supersede } from './rewrite-memory';
import { shareInRepository } from './share-in-repository';
import { copyLinks, copyTexts, insertIntoChat } from './share-memory';
import { doneBy, withFiles } from './tell-done';

/** What a person can do with one memory or several. */
export interface Action {
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

/** Says it of one, of one whose file has changed, and of several, which may be of either sort. */
function told(
  one: (content: string) => string,
  inItsFile: (content: string) => string,
  several: (count: number) => string,
): NonNullable<Action['done']> {
  return (content, count, inFile) => {
    if (count > 1) return withFiles(several(count), inFile);
    return inFile ? inItsFile(content) : one(content);
  };
}

export const ACTIONS: readonly Action[] = [
  {
    command: 'agentMemory.confirm',
    title: () => vscode.l10n.t('Which memory is still true?'),
    writes: true,
    several: true,
    run: (memories, target) => verify(memories, target, 'confirm'),
    done: told(
      (content) => vscode.l10n.t('Still true: {0}', content),
      (content) => vscode.l10n.t('Still true, in .svc/memories, to be committed: {0}', content),
      (count) => vscode.l10n.t('Still true: {0} memories.', count),
    ),
  },
  {
    command: 'agentMemory.refute',
    title: () => vscode.l10n.t('Which memory is no longer true?'),
    writes: true,
    several: true,
    run: (memories, target) => verify(memories, target, 'refute'),
    done: told(
      (content) => vscode.l10n.t('No longer true: {0}', content),
      (content) => vscode.l10n.t('No longer true, in .svc/memories, to be committed: {0}', content),
      (count) => vscode.l10n.t('No longer true: {0} memories. Agents no longer see them.', count),
    ),
  },
  {
    command: 'agentMemory.forget',
    title: () => vscode.l10n.t('Forget which memory?'),
    writes: true,
    several: true,
    run: forgetMemory,
    done: told(
      (content) => vscode.l10n.t('Forgotten: {0}', content),
      (content) => vscode.l10n.t('Forgotten, and its file is gone from .svc/memories, to be committed: {0}', content),
      (count) => vscode.l10n.t('Forgot {0} memories.', count),
    ),
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
    done: told(
      (content) => vscode.l10n.t('Replaced with the newest duplicate: {0}', content),
      (content) => vscode.l10n.t('Replaced with the newest, in .svc/memories, to be committed: {0}', content),
      (count) => vscode.l10n.t('Replaced {0} memories with their newest duplicates.', count),
    ),
  },
  {
    command: 'agentMemory.keepDuplicate',
    title: () => vscode.l10n.t('Keep which near-duplicate?'),
    onlyRows: true,
    writes: true,
    several: true,
    run: (memories, target) => settle(memories, target, 'keep'),
    done: told(
      (content) => vscode.l10n.t('Kept both: {0}', content),
      (content) => vscode.l10n.t('Kept both, in .svc/memories, to be committed: {0}', content),
      (count) => vscode.l10n.t('Kept {0} memories.', count),
    ),
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
    done: told(
      (content) => vscode.l10n.t('On the code at the cursor now: {0}', content),
      (content) => vscode.l10n.t('On the code at the cursor now, in .svc/memories, to be committed: {0}', content),
      (count) => vscode.l10n.t('{0} memories are on the code at the cursor now.', count),
    ),
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
