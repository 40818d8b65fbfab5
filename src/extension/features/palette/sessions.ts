import * as vscode from 'vscode';
import { withoutLinks } from '../../stored-text';
import { askLine, type PaletteCommand } from './command';

export const SESSION_COMMANDS: readonly PaletteCommand[] = [
  {
    command: 'agentMemory.startSession',
    writes: true,
    run: async ({ memories, place }) => {
      const name = await askLine({
        title: vscode.l10n.t('Start Session'),
        prompt: vscode.l10n.t('What is it about? What the editor stores belongs to it until it ends.'),
      });
      if (name === undefined) return;
      const { created } = await memories.call<{ created: boolean }>(place, 'memory_start_session', { name });
      const { session } = await memories.state(place);
      const shown = withoutLinks(session?.name ?? name);
      vscode.window.showInformationMessage(
        created
          ? vscode.l10n.t('The session "{0}" is open.', shown)
          : vscode.l10n.t('The session "{0}" is open already: end it before you start another.', shown),
      );
    },
  },
  {
    command: 'agentMemory.endSession',
    writes: true,
    run: async ({ memories, place }) => {
      const { session } = await memories.state(place);
      if (!session) {
        vscode.window.showInformationMessage(vscode.l10n.t('The editor has no session open here.'));
        return;
      }
      const summary = await askLine({
        title: vscode.l10n.t('End Session: {0}', withoutLinks(session.name)),
        prompt: vscode.l10n.t('What came of it? It is kept as an outcome.'),
      });
      if (summary === undefined) return;
      await memories.call(place, 'memory_end_session', { summary });
      vscode.window.showInformationMessage(
        vscode.l10n.t('The session "{0}" is ended, and its outcome is kept.', withoutLinks(session.name)),
      );
    },
  },
];
