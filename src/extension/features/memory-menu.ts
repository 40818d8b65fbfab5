/** The menu of the status bar item. */
import * as vscode from 'vscode';
import type { FolderState } from '../../protocol/requests';
import type { HeldSession } from '../../protocol/tool-values';
import { sessionName, shownTime } from '../kinds';
import type { Memories, Place } from '../memories';
import { withoutIcons } from '../stored-text';
import { holderName } from './holder-name';
import { tellRefusal } from './tell-done';
import { waitingWords } from './waiting-words';

/** Open sessions that are listed. */
const MOST_SESSIONS = 20;

interface MenuItem extends vscode.QuickPickItem {
  readonly run?: () => Thenable<unknown>;
}

/** What the status bar opens: where the editor is, what can be done there, and who else is writing. */
export async function showMemoryMenu(memories: Memories, place: Place | undefined): Promise<void> {
  if (!place) {
    vscode.window.showInformationMessage(vscode.l10n.t('Open a folder first. Agent Memory needs one.'));
    return;
  }
  try {
    const state = await memories.state(place);
    const open = state.store.exists && state.problem === null ? await openSessions(memories, place) : [];
    const items = [
      ...(state.store.access === 'foreign' && vscode.workspace.isTrusted ? [acceptItem(place)] : []),
      ...(state.lost !== null && vscode.workspace.isTrusted ? [restoreItem(place)] : []),
      ...actions(place, state),
      ...(open.length === 0 ? [] : [separator(vscode.l10n.t('Open sessions'))]),
      ...open.map(sessionItem),
    ];
    const chosen = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Agent Memory'),
      placeHolder: state.problem ?? vscode.l10n.t('Store: {0}', state.store.path),
    });
    await chosen?.run?.();
  } catch (error) {
    tellRefusal(error);
  }
}

function acceptItem({ folder }: Place): MenuItem {
  return {
    label: vscode.l10n.t('Accept the store of this folder…'),
    description: vscode.l10n.t('It came with the folder and is read-only'),
    iconPath: new vscode.ThemeIcon('unverified'),
    run: () => vscode.commands.executeCommand('agentMemory.trustStore', { folder: folder.toString() }),
  };
}

function restoreItem({ folder }: Place): MenuItem {
  return {
    label: vscode.l10n.t('Restore a backup…'),
    description: vscode.l10n.t('The store was lost or is damaged'),
    iconPath: new vscode.ThemeIcon('history'),
    run: () => vscode.commands.executeCommand('agentMemory.restoreBackup', { folder: folder.toString() }),
  };
}

function actions(place: Place, state: FolderState): MenuItem[] {
  const { stale_files: ofFiles } = state;
  // Nobody is called for them, but the view that is opened from here lists them.
  const files = ofFiles > 0 ? [vscode.l10n.t('About a file that changed: {0}', ofFiles)] : [];
  const waits = [...waitingWords(state), ...files].join(' · ');
  const folder = { folder: place.folder.toString() };
  const command =
    (id: string, ...args: unknown[]) =>
    () =>
      vscode.commands.executeCommand(id, ...args);
  return [
    {
      label: vscode.l10n.t('Switch namespace…'),
      description: withoutIcons(place.namespace),
      iconPath: new vscode.ThemeIcon('arrow-swap'),
      run: command('agentMemory.switchNamespace', folder),
    },
    {
      label: vscode.l10n.t('Review memories'),
      description: waits === '' ? vscode.l10n.t('No memories need review') : waits,
      iconPath: new vscode.ThemeIcon(waits === '' ? 'pass' : 'warning'),
      run: command('agentMemory.review.focus'),
    },
    {
      label: vscode.l10n.t('Browse sessions'),
      iconPath: new vscode.ThemeIcon('list-tree'),
      run: command('agentMemory.sessions.focus'),
    },
  ];
}

async function openSessions(memories: Memories, place: Place): Promise<HeldSession[]> {
  return memories.call<HeldSession[]>(place, 'sessions', { open: true, limit: MOST_SESSIONS });
}

function sessionItem(session: HeldSession): MenuItem {
  return {
    label: withoutIcons(sessionName(session)),
    description: `${heldBy(session)} · ${shownTime(session.recorded_at)}`,
    iconPath: new vscode.ThemeIcon(session.current ? 'circle-filled' : 'circle-outline'),
    run: () => vscode.commands.executeCommand('agentMemory.sessions.focus'),
  };
}

function heldBy({ current, holder }: HeldSession): string {
  if (current) return vscode.l10n.t('this editor');
  if (!holder) return vscode.l10n.t('nobody');
  const name = withoutIcons(holderName(holder));
  return holder.alive ? name : vscode.l10n.t('left by {0}', name);
}

function separator(label: string): MenuItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
