/** Asks the user whether to accept a foreign store. */
import * as vscode from 'vscode';
import type { StoreAccount } from '../../protocol/requests';
import { counted, shownDay } from '../kinds';
import type { Memories, Place } from '../memories';
import { MAX_MESSAGE_LENGTH, MAX_WORD_LENGTH, withoutLinks } from '../stored-text';
import { tellRefusal } from './tell-done';

/** Shows what a store is that came with a folder, and asks the person whether to accept it. */
export async function trustStore(memories: Memories, place: Place): Promise<void> {
  const account = await memories.trustStore(place, 'look');
  if (account.known && account.shared.known) {
    const path = withoutLinks(account.path, MAX_MESSAGE_LENGTH);
    vscode.window.showInformationMessage(vscode.l10n.t('You do not need to accept this store: {0}', path));
    return;
  }
  const accept = vscode.l10n.t('Accept');
  const look = vscode.l10n.t('View First');
  const chosen = await vscode.window.showWarningMessage(
    account.known
      ? vscode.l10n.t('Accept the shared memories that came with this folder?')
      : vscode.l10n.t('Accept the store that came with this folder?'),
    { modal: true, detail: account.known ? detailOfFiles(account) : detailOf(account) },
    accept,
    look,
  );
  if (chosen === look) await lookAtStore(place);
  if (chosen !== accept) return;
  await memories.trustStore(place, 'accept');
  vscode.window.showInformationMessage(
    account.known
      ? vscode.l10n.t('The shared memories are accepted, and those that come to them.')
      : vscode.l10n.t('The store is accepted. Agent Memory now uses it like one of your own.'),
  );
}

/** Everything that is in it, newest first. */
export async function lookAtStore({ folder }: Place): Promise<void> {
  await vscode.commands.executeCommand('agentMemory.openExplorer', { folder: folder.toString(), view: 'timeline' });
}

/** Says something of a foreign store, with what can be done about it; that is done when this ends. */
export async function offerTrust(memories: Memories, place: Place, message: string): Promise<void> {
  const accept = vscode.l10n.t('Accept…');
  const look = vscode.l10n.t('View Store');
  const chosen = await vscode.window.showWarningMessage(message, accept, look);
  try {
    if (chosen === accept) await trustStore(memories, place);
    if (chosen === look) await lookAtStore(place);
  } catch (error) {
    tellRefusal(error);
  }
}

/** @param count of memories, in words */
function recorded(count: string, from: string | null, to: string | null): string {
  if (from === null || to === null) return count;
  const [first, last] = [shownDay(from), shownDay(to)];
  return first === last
    ? vscode.l10n.t('{0}, recorded on {1}', count, first)
    : vscode.l10n.t('{0}, recorded from {1} to {2}', count, first, last);
}

function inFiles(count: number): string {
  return vscode.l10n.t('{0}, in .svc/memories', counted.memories(count));
}

function detailOfFiles({ shared }: StoreAccount): string {
  return [
    inFiles(shared.memories),
    vscode.l10n.t(
      'These files came with the folder, and agents trust what they say. Accept them only if you know where they come from. Agents then use them like memories of your own, also those that are pulled later.',
    ),
  ].join('\n\n');
}

/** A stranger wrote all of it, and named the folders of the path. */
function detailOf({ path, memories, writers, from, to, shared }: StoreAccount): string {
  const names = writers.map((writer) => withoutLinks(writer, MAX_WORD_LENGTH)).join(', ');
  return [
    withoutLinks(path, MAX_MESSAGE_LENGTH),
    [
      recorded(counted.memories(memories), from, to),
      ...(shared.known ? [] : [inFiles(shared.memories)]),
      ...(names === '' ? [] : [vscode.l10n.t('Written by: {0}', names)]),
    ].join('\n'),
    vscode.l10n.t(
      'This store was not made on this machine, and agents trust what it says. Accept it only if you know where it comes from. Agent Memory then uses it like one of your own.',
    ),
  ].join('\n\n');
}
