/** The commands that write into files of agents. */
import * as vscode from 'vscode';
import type { AgentFilesParams } from '../../../protocol/requests';
import type { PaletteCommand } from './command';

type What = AgentFilesParams['what'];
type Action = AgentFilesParams['action'];

/** Files that tell agents to use the memory: what we wrote there is found again and removed, the rest is left alone. */
export const AGENT_FILE_COMMANDS: readonly PaletteCommand[] = [
  agentFiles('agentMemory.installHooks', 'hooks', 'install'),
  agentFiles('agentMemory.removeHooks', 'hooks', 'remove'),
  agentFiles('agentMemory.writeAgentsBlock', 'agents-block', 'install'),
  agentFiles('agentMemory.removeAgentsBlock', 'agents-block', 'remove'),
];

function agentFiles(command: string, what: What, action: Action): PaletteCommand {
  return {
    command,
    writes: 'files',
    run: async ({ memories, place }) => {
      const files = await memories.agentFiles(place, what, action);
      const changed = files.filter(({ outcome }) => outcome === 'written' || outcome === 'removed');
      const names = changed.map(({ path }) => vscode.workspace.asRelativePath(path)).join(', ');
      const message =
        changed.length === 0
          ? action === 'install'
            ? vscode.l10n.t('Everything is already there. Nothing was changed.')
            : vscode.l10n.t('There was nothing of Agent Memory to remove. Nothing was changed.')
          : action === 'install'
            ? vscode.l10n.t('Written: {0}', names)
            : vscode.l10n.t('Removed from: {0}', names);
      const [first] = changed;
      const open = vscode.l10n.t('Open');
      const chosen = await vscode.window.showInformationMessage(
        message,
        ...(first && action === 'install' ? [open] : []),
      );
      if (first && chosen === open) await vscode.window.showTextDocument(vscode.Uri.file(first.path));
    },
  };
}
