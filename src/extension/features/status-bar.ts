/** The item in the status bar. */
import * as vscode from 'vscode';
import type { FolderState, StoreAccess } from '../../protocol/requests';
import { afterPause } from '../after-pause';
import type { Editor } from '../editor';
import { folderOf, type MemoryFolder, memoryFolders } from '../folders';
import type { Memories, Place } from '../memories';
import { described } from '../output';
import { placeIn } from '../place';
import { SeenStores } from '../seen-stores';
import { MAX_MESSAGE_LENGTH, MAX_WORD_LENGTH, plainLine, withoutIcons } from '../stored-text';
import { showMemoryMenu } from './memory-menu';
import { notTrusted, onlyRead } from './require-trust';
import { waitingWords } from './waiting-words';

const PRIORITY = 40;
/** Of a name in the item. */
const MAX_ITEM_LENGTH = 40;
const HOME_STORE = '~/.svc/memory.db';

/** The namespace that the editor is in, its session, and how many memories no longer fit their code. */
export function statusBar(editor: Editor, memories: Memories): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('agentMemory.status', vscode.StatusBarAlignment.Left, PRIORITY);
  item.name = vscode.l10n.t('Agent Memory');
  item.command = 'agentMemory.statusMenu';
  const seen = new SeenStores(editor.context.workspaceState);
  let shown: MemoryFolder | undefined;

  const refresh = afterPause(async () => {
    const folder = shownFolder(shown);
    shown = folder;
    if (!folder) {
      item.hide();
      return;
    }
    const place = placeIn(editor, folder.uri);
    // Nothing was ever stored: there is nothing to ask a server for.
    show(item, folder, place, (await seen.has(folder)) ? await stateOf(editor, memories, place) : EMPTY);
  });
  refresh();
  return vscode.Disposable.from(
    item,
    refresh,
    vscode.commands.registerCommand('agentMemory.statusMenu', () => {
      const folder = shownFolder(shown);
      return showMemoryMenu(memories, folder && placeIn(editor, folder.uri));
    }),
    memories.onDidChange(refresh),
    editor.namespaces.onDidChange(refresh),
    editor.folders.onDidChange(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.window.onDidChangeActiveTextEditor(() => {
      if (shownFolder(shown)?.uri.toString() !== shown?.uri.toString()) refresh();
    }),
  );
}

/** The folder of the file that is edited, else the one of before (a page has no file), else the first one. */
function shownFolder(before: MemoryFolder | undefined): MemoryFolder | undefined {
  const file = vscode.window.activeTextEditor?.document.uri;
  const folders = memoryFolders();
  const same = folders.find(({ uri }) => uri.toString() === before?.uri.toString());
  return (file && folderOf(file)) ?? same ?? folders[0];
}

interface State extends Pick<FolderState, 'session' | 'stale' | 'proposed' | 'forks' | 'unread' | 'problem'> {
  readonly access: StoreAccess | null;
}

const EMPTY: State = { session: null, stale: 0, proposed: 0, forks: 0, unread: [], problem: null, access: null };

async function stateOf(editor: Editor, memories: Memories, place: Place): Promise<State> {
  try {
    const { store, ...state } = await memories.state(place);
    return { ...state, access: store.access };
  } catch (error) {
    editor.log.warn(`No state of ${place.folder.fsPath}: ${described(error)}`);
    return { ...EMPTY, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Most people have no other namespace, and need not learn of them. */
const DEFAULT = 'default';

function show(item: vscode.StatusBarItem, { store }: MemoryFolder, place: Place, state: State): void {
  const { session, stale, proposed, forks, unread, problem, access } = state;
  item.text = [
    `$(book) ${place.namespace === DEFAULT ? vscode.l10n.t('Memory') : withoutIcons(place.namespace, MAX_ITEM_LENGTH)}`,
    ...(access === 'foreign' ? [`$(unverified) ${vscode.l10n.t('foreign')}`] : []),
    ...(session?.named ? [withoutIcons(session.name, MAX_ITEM_LENGTH)] : []),
    ...(stale > 0 ? [`$(warning) ${stale}`] : []),
    ...(proposed > 0 ? [`$(inbox) ${proposed}`] : []),
    ...(forks > 0 ? [`$(git-merge) ${forks}`] : []),
    ...(unread.length > 0 ? [`$(circle-slash) ${unread.length}`] : []),
    ...(problem === null ? [] : ['$(error)']),
  ].join(' · ');
  const lines = [
    vscode.l10n.t('Namespace of the editor: {0}', plainLine(place.namespace, MAX_WORD_LENGTH)),
    ...(problem === null ? known(state) : [plainLine(problem, MAX_MESSAGE_LENGTH)]),
    store.file === undefined
      ? vscode.l10n.t('Store: {0} (home store)', HOME_STORE)
      : vscode.l10n.t('Store: {0}', store.file),
  ];
  item.tooltip = lines.join('\n');
  item.accessibilityInformation = { label: [vscode.l10n.t('Agent Memory'), ...lines].join(', '), role: 'button' };
  item.show();
}

/** Nothing is known of a store that cannot be used. */
function known({ session, stale, proposed, forks, unread, access }: State): string[] {
  return [
    ...(access === 'foreign' ? [onlyRead()] : []),
    ...(vscode.workspace.isTrusted ? [] : [notTrusted()]),
    session === null
      ? vscode.l10n.t('No session is open in the editor')
      : vscode.l10n.t('Session: {0}', plainLine(session.name, MAX_WORD_LENGTH)),
    ...(stale + proposed + forks + unread.length === 0
      ? [vscode.l10n.t('No memories need review')]
      : waitingWords({ stale, proposed, forks, unread })),
  ];
}
