import * as vscode from 'vscode';
import type { NamespaceCounts } from '../../protocol/tool-values';
import type { Editor } from '../editor';
import { counted } from '../kinds';
import type { Memories, Place } from '../memories';
import { plainLine, withoutIcons, withoutLinks } from '../stored-text';
import { pickPlace } from './pick-memory';
import type { Row } from './side-bar/row';
import { tellRefusal } from './tell-done';

/** As the server checks it. */
const MAX_NAME_LENGTH = 500;

/**
 * `agentMemory.switchNamespace`: takes `{folder, namespace}` or a row of the side bar; called with less, it asks. Moves
 * the editor and what it starts from now on; servers that run already stay where they are.
 */
export function switchNamespace(editor: Editor, memories: Memories): vscode.Disposable {
  return vscode.commands.registerCommand('agentMemory.switchNamespace', async (asked: unknown) => {
    try {
      const wanted = wantedOf(editor, asked);
      const place = wanted?.place ?? (await pickPlace(editor));
      if (!place) return;
      const namespace = wanted?.namespace ?? (await chooseNamespace(memories, place));
      if (namespace === undefined || namespace === place.namespace) return;
      await editor.namespaces.change(place.folder, namespace);
      vscode.window.showInformationMessage(
        vscode.l10n.t('The editor and new servers use "{0}" now.', withoutLinks(namespace)),
      );
    } catch (error) {
      tellRefusal(error);
    }
  });
}

function wantedOf(editor: Editor, asked: unknown): { place: Place; namespace: string | undefined } | undefined {
  if (typeof asked !== 'object' || asked === null) return undefined;
  const { subject } = asked as Partial<Row>;
  if (subject) return { place: subject.place, namespace: subject.type === 'namespace' ? subject.nodeId : undefined };
  const { folder, namespace } = asked as Record<string, unknown>;
  if (typeof folder !== 'string') return undefined;
  const uri = vscode.Uri.parse(folder);
  const place = { folder: uri, namespace: editor.namespaces.of(uri) };
  return { place, namespace: typeof namespace === 'string' ? namespace : undefined };
}

interface NamespaceItem extends vscode.QuickPickItem {
  /** Undefined for the one that is still to be named. */
  readonly name: string | undefined;
}

async function chooseNamespace(memories: Memories, place: Place): Promise<string | undefined> {
  const { store } = await memories.state(place);
  const known = store.exists ? await memories.call<NamespaceCounts[]>(place, 'namespaces') : [];
  const items: NamespaceItem[] = known.map(({ name, memories: count, sessions }) => ({
    name,
    label: withoutIcons(name),
    iconPath: new vscode.ThemeIcon(name === place.namespace ? 'pass-filled' : 'circle-large-outline'),
    description: [
      ...(name === place.namespace ? [vscode.l10n.t('active')] : []),
      counted.memories(count),
      counted.sessions(sessions),
    ].join(' · '),
  }));
  const fresh = { name: undefined, label: vscode.l10n.t('New namespace…'), iconPath: new vscode.ThemeIcon('add') };
  const chosen = await vscode.window.showQuickPick([...items, fresh], {
    title: vscode.l10n.t('Switch Namespace'),
    placeHolder: vscode.l10n.t('Memories of one namespace are not seen in another'),
  });
  if (!chosen || chosen.name !== undefined) return chosen?.name;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('New Namespace'),
    prompt: vscode.l10n.t('It is made when something is stored in it.'),
    validateInput: (text) =>
      text.trim() === '' || plainLine(text, MAX_NAME_LENGTH) !== text.trim()
        ? vscode.l10n.t('A name is one line of 1 to {0} characters.', MAX_NAME_LENGTH)
        : undefined,
  });
  return name?.trim();
}
