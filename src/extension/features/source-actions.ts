/** The commands on all that waits of one source. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { ForeignStores } from '../foreign-stores';
import type { Memories } from '../memories';
import { described } from '../output';
import { requireRow } from './memory-targets';
import { requireOwnStore, requireTrust } from './require-trust';
import type { Row } from './side-bar/row';
import { doneBy, tellDone, tellRefusal } from './tell-done';

const ACTIONS = [
  {
    command: 'agentMemory.keepSource',
    action: 'keep',
    button: () => vscode.l10n.t('Keep All'),
    done: (count: number) => vscode.l10n.t('Kept all {0} memories of this source.', count),
  },
  {
    command: 'agentMemory.dropSource',
    action: 'drop',
    button: () => vscode.l10n.t('Drop All'),
    done: (count: number) => vscode.l10n.t('Dropped all {0} memories of this source.', count),
  },
] as const;

/** Keeps or drops everything of a source in one act, which one undo takes back. */
export function sourceActions(editor: Editor, memories: Memories, foreign: ForeignStores): vscode.Disposable {
  return vscode.Disposable.from(
    ...ACTIONS.map(({ command, action, button, done }) =>
      vscode.commands.registerCommand(command, async (...given: readonly unknown[]) => {
        const { subject, hidden = 0 } = (given[0] ?? {}) as Partial<Row>;
        if (!requireTrust() || !requireRow(given) || subject?.type !== 'source') return;
        const { place, nodeId } = subject;
        try {
          if (!(await requireOwnStore(memories, foreign, place)) || !(await agrees(hidden, button()))) return;
          const input = { action, source: Number(nodeId) };
          const { value, operation } = await memories.act<{ count: number }>(place, 'settle', input);
          tellDone(memories, done(value.count), doneBy(place, operation));
        } catch (error) {
          editor.log.warn(`${command}: ${described(error)}`);
          tellRefusal(error);
        }
      }),
    ),
  );
}

/** All of it is more than is seen, where the filter hides some. */
async function agrees(hidden: number, button: string): Promise<boolean> {
  if (hidden === 0) return true;
  const question =
    hidden === 1
      ? vscode.l10n.t('The filter hides 1 memory of this source. Go on with all of it?')
      : vscode.l10n.t('The filter hides {0} memories of this source. Go on with all of it?', hidden);
  return (await vscode.window.showWarningMessage(question, { modal: true }, button)) === button;
}
