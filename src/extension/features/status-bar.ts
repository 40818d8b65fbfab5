import * as vscode from 'vscode';
import type { FolderState } from '../../protocol/requests';
import { afterPause } from '../after-pause';
import type { Editor } from '../editor';
import { folderOf, type MemoryFolder, memoryFolders } from '../folders';
import type { Memories, Place } from '../memories';
import { described } from '../output';
import { MAX_WORD_LENGTH, plainLine, withoutIcons } from '../stored-text';
import { showMemoryMenu } from './memory-menu';

const PRIORITY = 40;
/** Of a name in the item: what sessions are called by themselves fits. */
const MAX_ITEM_LENGTH = 40;

/** The namespace that the editor is in, its session, and how many memories no longer fit their code. */
export function statusBar(editor: Editor, memories: Memories): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('agentMemory.status', vscode.StatusBarAlignment.Left, PRIORITY);
  item.name = vscode.l10n.t('Agent Memory');
  item.command = 'agentMemory.statusMenu';
  let shown: MemoryFolder | undefined;

  const refresh = afterPause(async () => {
    const folder = shownFolder(shown);
    shown = folder;
    if (!folder) {
      item.hide();
      return;
    }
    const place = placeOf(editor, folder);
    // Nothing was ever stored: there is nothing to ask a server for.
    const state = folder.store.exists ? await stateOf(editor, memories, place) : undefined;
    show(item, folder, place, state);
  });
  refresh();
  return vscode.Disposable.from(
    item,
    refresh,
    vscode.commands.registerCommand('agentMemory.statusMenu', () => {
      const folder = shownFolder(shown);
      return showMemoryMenu(memories, folder && placeOf(editor, folder));
    }),
    memories.onDidChange(refresh),
    editor.namespaces.onDidChange(refresh),
    editor.folders.onDidChange(refresh),
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

function placeOf({ namespaces }: Editor, { uri }: MemoryFolder): Place {
  return { folder: uri, namespace: namespaces.of(uri) };
}

async function stateOf(editor: Editor, memories: Memories, place: Place): Promise<FolderState | undefined> {
  try {
    return await memories.state(place);
  } catch (error) {
    editor.log.warn(`No state of ${place.folder.fsPath}: ${described(error)}`);
    return undefined;
  }
}

function show(item: vscode.StatusBarItem, folder: MemoryFolder, place: Place, state: FolderState | undefined): void {
  const session = state?.session ? plainLine(state.session.name, MAX_WORD_LENGTH) : undefined;
  const stale = state?.stale ?? 0;
  const namespace = plainLine(place.namespace, MAX_WORD_LENGTH);
  item.text = [
    `$(book) ${withoutIcons(place.namespace, MAX_ITEM_LENGTH)}`,
    ...(session === undefined ? [] : [withoutIcons(session, MAX_ITEM_LENGTH)]),
    ...(stale > 0 ? [`$(warning) ${stale}`] : []),
  ].join(' · ');
  const lines = [
    vscode.l10n.t('Namespace of the editor: {0}', namespace),
    session === undefined ? vscode.l10n.t('No session is open in the editor') : vscode.l10n.t('Session: {0}', session),
    stale === 0
      ? vscode.l10n.t('No memory is in doubt')
      : vscode.l10n.t('Memories that no longer fit their code: {0}', stale),
    state?.store.kind === 'home'
      ? vscode.l10n.t('Store: {0} (home store)', state.store.path)
      : vscode.l10n.t('Store: {0}', state?.store.path ?? folder.store.file ?? ''),
    ...(state?.problem ? [plainLine(state.problem)] : []),
  ];
  item.tooltip = lines.join('\n');
  item.accessibilityInformation = { label: [vscode.l10n.t('Agent Memory'), ...lines].join(', '), role: 'button' };
  item.show();
}
