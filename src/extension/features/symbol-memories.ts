/** Shows the memories of a symbol. */
import * as vscode from 'vscode';
import type { MemoryArgument, SymbolMemoriesArguments, Verdict } from '../../protocol/requests';
import type { NodeDetails } from '../../protocol/tool-values';
import type { Editor } from '../editor';
import { isForeign, kindIcon, kindName, markNames, shownTime, verdictName } from '../kinds';
import type { Memories, Place } from '../memories';
import { placeIn } from '../place';
import { withoutIcons } from '../stored-text';
import { closeHover } from './close-hover';
import type { Doubts } from './doubts';
import { tellRefusal } from './tell-done';

interface Button extends vscode.QuickInputButton {
  readonly command: string;
}

interface MemoryItem extends vscode.QuickPickItem {
  /** What choosing it runs; a line between them runs nothing. */
  readonly command?: string;
  readonly argument?: MemoryArgument | Readonly<Record<string, string>>;
}

/** `agentMemory.showSymbolMemories`, which a CodeLens runs: the memories of a function or class, and what to do with them. */
export function symbolMemories(editor: Editor, memories: Memories, doubts: Doubts): vscode.Disposable {
  return vscode.commands.registerCommand('agentMemory.showSymbolMemories', async (asked: SymbolMemoriesArguments) => {
    // A hover leads to it as well, and would stay below the list.
    closeHover();
    try {
      const place = placeIn(editor, vscode.Uri.parse(asked.folder));
      const [verdicts, found, ofFile] = await Promise.all([
        doubts.of(place),
        thoseThere(memories, place, asked.nodeIds),
        thoseThere(memories, place, asked.ofFile ?? []),
      ]);
      // It is no doubt, so that only the lens knows of it.
      const elsewhere = new Set(asked.ofOtherVersion);
      const verdictOf = (id: string): Verdict | undefined =>
        verdicts.get(id) ?? (elsewhere.has(id) ? 'other version' : undefined);
      const items = (several: readonly NodeDetails[]): MemoryItem[] =>
        several.map((memory) => memoryItem(memory, asked.folder, verdictOf(memory.id)));
      show(withoutIcons(asked.symbol), [
        ...items(found),
        ...(ofFile.length === 0 ? [] : [aboutFile(), ...items(ofFile)]),
        agentItem(asked),
      ]);
    } catch (error) {
      tellRefusal(error);
    }
  });
}

/** Leaves out memories that were purged after the lens was drawn. @throws Error when none is left */
async function thoseThere(memories: Memories, place: Place, ids: readonly string[]): Promise<NodeDetails[]> {
  const answers = await Promise.allSettled(ids.map((id) => memories.call<NodeDetails>(place, 'node', { id })));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const refused = answers.find((answer) => answer.status === 'rejected');
  if (found.length === 0 && refused) throw refused.reason;
  return found;
}

function show(symbol: string, items: readonly MemoryItem[]): void {
  const pick = vscode.window.createQuickPick<MemoryItem>();
  pick.title = vscode.l10n.t('Memories of {0}', symbol);
  pick.placeholder = vscode.l10n.t('Enter opens a memory. Its buttons: still true, no longer true, rewrite, forget.');
  pick.matchOnDetail = true;
  pick.items = items;
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    if (chosen?.command) vscode.commands.executeCommand(chosen.command, chosen.argument);
  });
  pick.onDidTriggerItemButton(({ item, button }) => {
    pick.hide();
    // Only our own buttons are on the items.
    vscode.commands.executeCommand((button as Button).command, item.argument);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function memoryItem(memory: NodeDetails, folder: string, verdict: Verdict | undefined): MemoryItem {
  const notes = [
    kindName(memory.kind),
    ...markNames(memory),
    shownTime(memory.valid_from),
    ...(verdict === undefined ? [] : [verdictName(verdict)]),
    ...(memory.rationale === null ? [] : [withoutIcons(memory.rationale)]),
  ];
  return {
    label: withoutIcons(memory.content),
    // On a line of its own: behind a long memory it would be out of sight, and it tells which of two is newer.
    detail: notes.join(' · '),
    iconPath: kindIcon(memory.kind),
    buttons: vscode.workspace.isTrusted && !isForeign(memory) ? writingButtons() : [],
    command: 'agentMemory.openMemory',
    argument: { folder, namespace: memory.namespace, nodeId: memory.id },
  };
}

function aboutFile(): MemoryItem {
  return { label: vscode.l10n.t('About the whole file'), kind: vscode.QuickPickItemKind.Separator };
}

/** The explorer shows all that is found for the name, and what an agent gets byte for byte. */
function agentItem({ folder, symbol }: SymbolMemoriesArguments): MemoryItem {
  return {
    label: vscode.l10n.t('Ask Like an Agent'),
    description: withoutIcons(symbol),
    iconPath: new vscode.ThemeIcon('sparkle'),
    command: 'agentMemory.openExplorer',
    argument: { folder, view: 'search', asked: symbol },
  };
}

function writingButtons(): Button[] {
  const button = (command: string, icon: string, tooltip: string): Button => ({
    command,
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
  });
  return [
    button('agentMemory.confirm', 'check', vscode.l10n.t('Still True')),
    button('agentMemory.refute', 'close', vscode.l10n.t('No Longer True')),
    button('agentMemory.supersede', 'edit', vscode.l10n.t('Rewrite…')),
    button('agentMemory.forget', 'trash', vscode.l10n.t('Forget')),
  ];
}
