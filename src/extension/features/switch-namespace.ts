/** Switches the namespace. */
import * as vscode from 'vscode';
import type { NamespaceCounts } from '../../protocol/tool-values';
import type { Editor } from '../editor';
import { counted } from '../kinds';
import type { Memories, Place } from '../memories';
import { placeIn } from '../place';
import { plainLine, withoutIcons, withoutLinks } from '../stored-text';
import { requireRow } from './memory-targets';
import { pickPlace } from './pick-memory';
import type { Row } from './side-bar/row';
import { tellRefusal } from './tell-done';

/** As the server checks it. */
const MAX_NAME_LENGTH = 500;

/**
 * `agentMemory.switchNamespace` asks for the namespace, and for the folder unless it gets `{folder}`;
 * `agentMemory.switchToNamespace` takes a row of the side bar, or `{folder, namespace}` when one is clicked. They move
 * the editor and the servers that it starts from now on; the editor may start those again that run already, because
 * their definition changed.
 */
export function switchNamespace(editor: Editor, memories: Memories): vscode.Disposable {
  const register = (command: string, namespaceFor: (...given: unknown[]) => Promise<Place | undefined>) =>
    vscode.commands.registerCommand(command, async (...given: readonly unknown[]) => {
      try {
        const wanted = await namespaceFor(...given);
        if (wanted) await change(editor, wanted);
      } catch (error) {
        tellRefusal(error);
      }
    });
  return vscode.Disposable.from(
    // The title of a view hands in the row that has the focus, which is not what was chosen.
    register('agentMemory.switchNamespace', async (asked) => {
      const place = folderAsked(editor, asked) ?? (await pickPlace(editor));
      const namespace = place && (await chooseNamespace(memories, place));
      return place && namespace !== undefined ? { ...place, namespace } : undefined;
    }),
    register('agentMemory.switchToNamespace', async (...given) =>
      requireRow(given) ? namespaceAsked(given[0]) : undefined,
    ),
  );
}

async function change(editor: Editor, { folder, namespace }: Place): Promise<void> {
  if (namespace === editor.namespaces.of(folder)) return;
  await editor.namespaces.change(folder, namespace);
  vscode.window.showInformationMessage(
    vscode.l10n.t('The editor and new servers now use "{0}".', withoutLinks(namespace)),
  );
}

function folderAsked(editor: Editor, asked: unknown): Place | undefined {
  const { folder } = (asked ?? {}) as Record<string, unknown>;
  return typeof folder === 'string' ? placeIn(editor, vscode.Uri.parse(folder)) : undefined;
}

function namespaceAsked(asked: unknown): Place | undefined {
  const { subject } = (asked ?? {}) as Partial<Row>;
  if (subject) return { folder: subject.place.folder, namespace: subject.nodeId };
  const { folder, namespace } = (asked ?? {}) as Record<string, unknown>;
  if (typeof folder !== 'string' || typeof namespace !== 'string') return undefined;
  return { folder: vscode.Uri.parse(folder), namespace };
}

interface NamespaceItem extends vscode.QuickPickItem {
  /** Undefined for the one that is still to be named. */
  readonly name: string | undefined;
}

async function chooseNamespace(memories: Memories, place: Place): Promise<string | undefined> {
  const { store } = await memories.state(place);
  const known = store.exists ? await memories.call<NamespaceCounts[]>(place, 'namespaces') : [];
  const items: NamespaceItem[] = known.map(({ name, memories: count, sessions, marks = [] }) => ({
    name,
    label: withoutIcons(name),
    iconPath: new vscode.ThemeIcon(name === place.namespace ? 'pass-filled' : 'circle-large-outline'),
    description: [
      ...(name === place.namespace ? [vscode.l10n.t('active')] : []),
      ...(marks.includes('proposed') ? [vscode.l10n.t('proposed')] : []),
      counted.memories(count),
      counted.sessions(sessions),
    ].join(' · '),
  }));
  const chosen = await picked((typed) => [
    ...items,
    ...(known.some(({ name }) => name === typed) ? [] : [freshItem(isName(typed) ? typed : undefined)]),
  ]);
  if (!chosen || chosen.item.name !== undefined) return chosen?.item.name;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('New Namespace'),
    value: chosen.typed,
    prompt: vscode.l10n.t('It is created on the first write.'),
    validateInput: (text) =>
      isName(text.trim()) ? undefined : vscode.l10n.t('A name is one line of 1 to {0} characters.', MAX_NAME_LENGTH),
  });
  return name?.trim();
}

function isName(text: string): boolean {
  return text !== '' && plainLine(text, MAX_NAME_LENGTH) === text;
}

/** @param name what was typed to find it: a name that there is none of is wanted to be made */
function freshItem(name: string | undefined): NamespaceItem {
  return {
    name,
    label:
      name === undefined ? vscode.l10n.t('New namespace…') : vscode.l10n.t('New namespace "{0}"', withoutIcons(name)),
    iconPath: new vscode.ThemeIcon('add'),
    ...(name === undefined ? {} : { description: vscode.l10n.t('It is created on the first write.') }),
    alwaysShow: true,
  };
}

/** What is chosen, and what was typed to find it. */
function picked(
  itemsFor: (typed: string) => readonly NamespaceItem[],
): Promise<{ readonly item: NamespaceItem; readonly typed: string } | undefined> {
  const pick = vscode.window.createQuickPick<NamespaceItem>();
  pick.title = vscode.l10n.t('Switch Namespace');
  pick.placeholder = vscode.l10n.t('No other namespace can see the memories of a namespace');
  pick.items = itemsFor('');
  pick.onDidChangeValue((text) => {
    pick.items = itemsFor(text.trim());
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      resolve(item && { item, typed: pick.value.trim() });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
