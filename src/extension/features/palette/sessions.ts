/** The commands for sessions. */
import * as vscode from 'vscode';
import { withoutLinks } from '../../stored-text';
import { askLine, type PaletteCommand } from './command';

export const SESSION_COMMANDS: readonly PaletteCommand[] = [
  {
    command: 'agentMemory.startSession',
    writes: 'memories',
    run: async ({ memories, place }) => {
      const name = await askLine({
        title: vscode.l10n.t('Start Session'),
        prompt: vscode.l10n.t(
          'What is the session about? Until you end it, it holds everything that the editor stores.',
        ),
      });
      if (name === undefined) return;
      const { created } = await memories.call<{ created: boolean }>(place, 'memory_start_session', { name });
      const { session } = await memories.state(place);
      const shown = withoutLinks(session?.name ?? name);
      vscode.window.showInformationMessage(
        created
          ? vscode.l10n.t('The session "{0}" is open.', shown)
          : vscode.l10n.t('The session "{0}" is still open. End it before you start another one.', shown),
      );
    },
  },
  {
    command: 'agentMemory.endSession',
    writes: 'memories',
    run: async ({ memories, place }) => {
      const { session } = await memories.state(place);
      if (!session) {
        vscode.window.showInformationMessage(vscode.l10n.t('The editor has no open session here.'));
        return;
      }
      const summary = await askLine({
        title: vscode.l10n.t('End Session: {0}', withoutLinks(session.name)),
        prompt: vscode.l10n.t('What was the result? It is stored as an outcome.'),
      });
      if (summary === undefined) return;
      await memories.call(place, 'memory_end_session', { summary });
      vscode.window.showInformationMessage(
        vscode.l10n.t('Ended the session "{0}" and stored its outcome.', withoutLinks(session.name)),
      );
    },
  },
];
