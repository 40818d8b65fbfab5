/** Shows in Source Control which memories the pending change touches. */
import * as vscode from 'vscode';
import type { DiffCheck } from '../../../protocol/code-values';
import { afterPause } from '../../after-pause';
import type { Editor } from '../../editor';
import { memoryFolders } from '../../folders';
import type { ForeignStores } from '../../foreign-stores';
import { onGitFiles } from '../../git-files';
import type { Memories, Place } from '../../memories';
import { described } from '../../output';
import { targetOf } from '../memory-targets';
import { hasStore } from '../palette/memory-folder';
import { pickPlace } from '../pick-memory';
import { requireTrust } from '../require-trust';
import type { ReviewFlow } from '../review/review-flow';
import type { Queue } from '../review/walk';
import { folderRows } from '../side-bar/folder-rows';
import type { Row } from '../side-bar/row';
import { isOpenedByKey, type KeyedViews } from '../side-bar/row-keys';
import { RowTree } from '../side-bar/row-tree';
import { tellRefusal } from '../tell-done';
import { type Compared, checkOf, isOnFiles, nothingIn, pendingRows } from './pending-rows';

/** What Git writes when something is staged, committed or checked out. */
const OF_GIT = '.git/{HEAD,index,logs/HEAD}';
/** Git writes them one after the other. */
const PAUSE_MS = 400;

export interface BeforeCommit extends vscode.Disposable {
  /** Its view, which has keys. */
  readonly keyed: KeyedViews;
}

/** Nothing is asked before the view is seen. */
export function beforeCommit(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  flow: ReviewFlow,
): BeforeCommit {
  const tell = (count: number): void => {
    // Each of several folders has a number of its own.
    view.description = count > 0 && memoryFolders().length === 1 ? String(count) : '';
  };
  const tree = new RowTree(() => folderRows(editor, memories, foreign, pendingRows(memories, tell)), editor.log);
  const view = vscode.window.createTreeView<Row>('agentMemory.beforeCommit', {
    treeDataProvider: tree,
    canSelectMany: true,
  });
  const refresh = afterPause(async () => {
    if (view.visible) await tree.reload();
    else tree.refresh();
  }, PAUSE_MS);
  const review = async (row: unknown, compared: unknown): Promise<void> => {
    if (!requireTrust() || isOpenedByKey()) return;
    try {
      const target = targetOf(editor, row);
      const place = target?.place ?? (await pickPlace(editor));
      if (place && hasStore(place)) {
        const queue = touchedBy(memories, place, compared === 'branch' ? 'branch' : 'change', target?.nodeId);
        await flow.show(queue, target?.nodeId);
      }
    } catch (error) {
      editor.log.warn(`agentMemory.reviewPending: ${described(error)}`);
      tellRefusal(error);
    }
  };
  const all = vscode.Disposable.from(
    ...[tree, view, refresh, onGitFiles(OF_GIT, refresh)],
    view.onDidCollapseElement(({ element }) => tree.fold(element, true)),
    view.onDidExpandElement(({ element }) => tree.fold(element, false)),
    memories.onDidChange(refresh),
    foreign.onDidChange(refresh),
    editor.namespaces.onDidChange(refresh),
    editor.folders.onDidChange(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.commands.registerCommand('agentMemory.reviewPending', review),
  );
  return { keyed: { 'agentMemory.beforeCommit': { view, tree } }, dispose: () => all.dispose() };
}

/**
 * What is about whole files alone, which the view does not count, is gone through by itself.
 * @param nodeId where to begin; else with what the view counts, while there is any
 */
async function touchedBy(memories: Memories, place: Place, compared: Compared, nodeId?: string): Promise<Queue> {
  // Git is not asked once more for the beginning of the walk.
  let fresh: DiffCheck | undefined = await checkOf(memories, place, compared);
  let last = fresh;
  const asked = nodeId === undefined ? last.memories : last.memories.filter(({ id }) => id === nodeId);
  const ofFiles = asked.length > 0 && asked.every(isOnFiles);
  return {
    place,
    key: `${ofFiles ? 'files of ' : ''}${compared} ${place.folder} ${place.namespace}`,
    view: 'agentMemory.beforeCommit',
    async waiting() {
      last = fresh ?? (await checkOf(memories, place, compared));
      fresh = undefined;
      return last.memories.filter((each) => isOnFiles(each) === ofFiles).map(({ id }) => id);
    },
    tellNothing: () => void tellNothing(memories, place, nothingIn(last, compared)),
  };
}

/** What was changed before may have left memories in doubt: who asks here wants to know of those, too. */
async function tellNothing(memories: Memories, place: Place, nothing: string): Promise<void> {
  const { stale, stale_files } = await memories.state(place);
  const others = stale + stale_files;
  if (others === 0) {
    vscode.window.showInformationMessage(nothing);
    return;
  }
  const review = vscode.l10n.t('Show Review');
  const all = `${nothing} ${vscode.l10n.t('Others wait in Review: {0}.', others)}`;
  if ((await vscode.window.showInformationMessage(all, review)) === review) {
    await vscode.commands.executeCommand('agentMemory.review.focus');
  }
}
