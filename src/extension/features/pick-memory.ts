/** Lets the user pick a memory. */
import * as vscode from 'vscode';
import { MEMORY_KINDS } from '../../kinds/kinds';
import type { NodeSummary } from '../../protocol/tool-values';
import { shownId } from '../../server/base/shown';
import type { Editor } from '../editor';
import { memoryFolders } from '../folders';
import { isShared, kindIcon, kindName, markNames, shownTime, stateNames } from '../kinds';
import type { Memories, Place } from '../memories';
import { placeIn } from '../place';
import { withoutIcons } from '../stored-text';
import type { Target } from './memory-targets';
import { hasStore } from './palette/memory-folder';
import { LONGEST_LIST } from './side-bar/memory-list';
import { tellRefusal } from './tell-done';

/** As many as people look through; typing finds the others. */
const LISTED = 100;
const TYPING_PAUSE_MS = 120;
/**
 * A web page that had the focus before the palette gets it back a moment after that closed, and takes it from what opened
 * meanwhile, which closes then (https://github.com/microsoft/vscode/issues/75209). Nobody is as fast as that.
 */
const FOCUS_RETURNS_MS = 400;

/** Which memories are offered. `unshared`: open ones that can be shared. */
export type Wanted = 'open' | 'unshared' | 'forgotten' | 'any';

interface MemoryItem extends vscode.QuickPickItem {
  readonly nodeId: string;
}

/** The folder that is meant: the only one, or the one that is chosen. */
export async function pickPlace(editor: Editor): Promise<Place | undefined> {
  const folders = memoryFolders();
  const [only] = folders;
  if (!only) {
    vscode.window.showInformationMessage(vscode.l10n.t('Open a folder first. Agent Memory needs one.'));
    return undefined;
  }
  if (folders.length === 1) return placeIn(editor, only.uri);
  const chosen = await vscode.window.showQuickPick(
    folders.map(({ name, path, uri }) => ({ label: withoutIcons(name), description: withoutIcons(path), uri })),
    { title: vscode.l10n.t('Use the memory of which folder?') },
  );
  return chosen && placeIn(editor, chosen.uri);
}

/** Lets people look for a memory by its words and choose it. */
export async function pickMemory(
  editor: Editor,
  memories: Memories,
  title: string,
  wanted: Wanted,
  known?: Place,
): Promise<Target | undefined> {
  const place = known ?? (await pickPlace(editor));
  if (!place || !hasStore(place)) return undefined;
  const pick = vscode.window.createQuickPick<MemoryItem>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Words of the memory');
  pick.matchOnDetail = true;
  let asked = 0;
  let failure: unknown;
  const list = async (letters: string): Promise<void> => {
    const question = ++asked;
    pick.busy = true;
    try {
      const input = {
        letters,
        kinds: MEMORY_KINDS,
        closed: wanted === 'forgotten' || wanted === 'any',
        forgotten: wanted === 'forgotten',
        // What cannot be shared is left out afterwards.
        limit: wanted === 'unshared' ? LONGEST_LIST : LISTED,
      };
      const found = await memories.call<NodeSummary[]>(place, 'nodes', input);
      if (question !== asked) return;
      pick.items = (wanted === 'unshared' ? found.filter(isUnshared).slice(0, LISTED) : found).map(memoryItem);
      if (letters === '' && pick.items.length === 0)
        pick.placeholder = vscode.l10n.t('There are no memories to choose from.');
    } catch (error) {
      failure = error;
      pick.hide();
    } finally {
      if (question === asked) pick.busy = false;
    }
  };
  let waiting: NodeJS.Timeout | undefined;
  pick.onDidChangeValue((letters) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void list(letters), TYPING_PAUSE_MS);
  });
  void list('');
  pick.show();
  let closesItself = performance.now() + FOCUS_RETURNS_MS;
  const chosen = await new Promise<MemoryItem | undefined>((resolve) => {
    pick.onDidAccept(() => {
      closesItself = 0;
      resolve(pick.selectedItems[0]);
    });
    pick.onDidHide(() => {
      if (failure !== undefined || performance.now() > closesItself) return resolve(undefined);
      closesItself = 0;
      pick.show();
      // What is shown again has lost its rows.
      void list(pick.value);
    });
  });
  clearTimeout(waiting);
  pick.dispose();
  if (failure !== undefined) tellRefusal(failure);
  return chosen && { place, nodeId: chosen.nodeId };
}

/** What was proposed is nobody's word yet. */
function isUnshared(memory: NodeSummary): boolean {
  return memory.standing !== 'proposed' && !isShared(memory);
}

/** What tells it from others that say the same: the state, unless it is open, the kind, the time and the id. */
export function describedBriefly(memory: NodeSummary): string {
  const { id, kind, valid_from } = memory;
  const what = [...stateNames(memory), kindName(kind), ...markNames(memory)];
  return [...what, shownTime(valid_from), shownId(id)].join(' · ');
}

function memoryItem(memory: NodeSummary): MemoryItem {
  return {
    label: withoutIcons(memory.content),
    // Below it, because a long text leaves no room beside it.
    detail: describedBriefly(memory),
    iconPath: kindIcon(memory.kind),
    nodeId: memory.id,
    // The server has chosen by words in any order; the picker must not hide what its own matching would miss.
    alwaysShow: true,
  };
}
