/** The commands that ask the memory something. */
import * as vscode from 'vscode';
import { LENS_ORDER } from '../../../kinds/kinds';
import type { SymbolMemoriesArguments, Verdict } from '../../../protocol/requests';
import type { CodeMemories, MemoryOnCode } from '../../../protocol/tool-values';
import { meantPosition } from '../meant-position';
import { searchMemories } from '../search';
import { askLine, type Doing, type PaletteCommand } from './command';
import { codePath, symbolAt } from './symbol-at';

export const ASK_COMMANDS: readonly PaletteCommand[] = [
  {
    command: 'agentMemory.recall',
    writes: false,
    needsStore: 'or a team',
    run: async (doing) => searchMemories(doing, vscode.l10n.t('Search Memories'), ''),
  },
  {
    command: 'agentMemory.why',
    writes: false,
    needsStore: 'or a team',
    run: async (doing) => searchMemories(doing, vscode.l10n.t('Why is it so?'), ':decision '),
  },
  { command: 'agentMemory.askHere', writes: false, needsStore: true, here: true, run: askHere },
  {
    command: 'agentMemory.timeline',
    writes: false,
    needsStore: true,
    run: async ({ place }) => {
      const asked = await askLine({
        title: vscode.l10n.t('Timeline'),
        prompt: vscode.l10n.t('A topic, or the name of a function. Its memories are shown by time, newest first.'),
      });
      if (asked === undefined) return;
      const opening = { folder: place.folder.toString(), view: 'timeline', asked };
      await vscode.commands.executeCommand('agentMemory.openExplorer', opening);
    },
  },
];

/** The memories on the function or class that the cursor is in; where there are none, what is found for its name. */
async function askHere(doing: Doing): Promise<void> {
  const active = vscode.window.activeTextEditor;
  if (active?.document.uri.scheme !== 'file') {
    vscode.window.showInformationMessage(vscode.l10n.t('Put the cursor in a function, a class or a constant first.'));
    return;
  }
  const { memories, place } = doing;
  const { document } = active;
  if (codePath(place, document.uri) === undefined) {
    vscode.window.showInformationMessage(vscode.l10n.t('This file is outside the folder of the memory.'));
    return;
  }
  const position = meantPosition(active);
  const symbol = await symbolAt(doing, document, position);
  const input = { file_path: document.uri.fsPath, line: position.line + 1 };
  const { symbols } = await memories.call<CodeMemories>(place, 'memory_for_code', input);
  // As above the code, where what is about the whole file is told apart.
  const around = symbols.filter(({ code_type }) => code_type !== 'file');
  const nodeIds = idsIn(around.toReversed());
  const ofFile = idsIn(symbols.filter((one) => !around.includes(one))).filter((id) => !nodeIds.includes(id));
  const name = symbol ?? vscode.workspace.asRelativePath(document.uri, false);
  const folder = place.folder.toString();
  if (nodeIds.length + ofFile.length === 0) {
    await vscode.commands.executeCommand('agentMemory.openExplorer', { folder, view: 'search', asked: name });
    return;
  }
  const ofOtherVersion = idsIn(symbols, 'other version');
  const shown: SymbolMemoriesArguments = {
    ...{ folder, file: document.uri.toString(), symbol: name, nodeIds, ofFile, ofOtherVersion },
  };
  await vscode.commands.executeCommand('agentMemory.showSymbolMemories', shown);
}

/**
 * As a lens shows them: those in doubt first, what waits for a person last; kind by kind, those on the innermost code and the
 * newest first.
 * @param only those of this verdict, where it is told
 */
function idsIn(symbols: CodeMemories['symbols'], only?: Verdict): string[] {
  const all = symbols.flatMap(({ memories }) => memories).filter(({ verdict }) => !only || verdict === only);
  const inOrder = LENS_ORDER.flatMap((kind) => all.filter((memory) => memory.kind === kind));
  return [...new Set(inOrder.toSorted((one, other) => rank(one) - rank(other)).map(({ id }) => id))];
}

function rank({ standing, verdict }: MemoryOnCode): number {
  if (standing === 'proposed') return 2;
  return verdict === 'changed' || verdict === 'gone' ? 0 : 1;
}
