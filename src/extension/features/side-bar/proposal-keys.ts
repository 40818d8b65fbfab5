/** The keys that keep and drop proposals in the view Review. */
import * as vscode from 'vscode';
import type { Row } from './row';
import type { RowTree } from './row-tree';

const KEYS = [
  { command: 'agentMemory.keepSelected', one: 'agentMemory.keepProposal', all: 'agentMemory.keepSource' },
  { command: 'agentMemory.dropSelected', one: 'agentMemory.dropProposal', all: 'agentMemory.dropSource' },
] as const;

const NEXT_TRIES = 20;
const NEXT_PAUSE_MS = 100;

/** A key gives a command no row: it is the selected ones. The next row is selected afterwards, so that keys can go on. */
export function proposalKeys(view: vscode.TreeView<Row>, tree: RowTree): vscode.Disposable {
  return vscode.Disposable.from(
    ...KEYS.map(({ command, one, all }) =>
      vscode.commands.registerCommand(command, async () => {
        const proposals = view.selection.filter(({ item }) => item.contextValue === 'review.proposal');
        const [first = view.selection.find(({ item }) => item.contextValue === 'review.source')] = proposals;
        if (!first) return;
        const next = tree.neighbour(proposals.length > 0 ? proposals : [first]);
        await vscode.commands.executeCommand(proposals.length > 0 ? one : all, first, proposals);
        if (next) await select(view, tree, first, next);
      }),
    ),
  );
}

/** The editor gets the rows that are left a moment later. */
async function select(view: vscode.TreeView<Row>, tree: RowTree, settled: Row, next: Row): Promise<void> {
  for (let tries = 0; tries < NEXT_TRIES && tree.has(settled.item.id); tries++) {
    await new Promise((done) => setTimeout(done, NEXT_PAUSE_MS));
  }
  const row = tree.has(next.item.id);
  if (row && !tree.has(settled.item.id)) await view.reveal(row, { select: true, focus: true });
}
