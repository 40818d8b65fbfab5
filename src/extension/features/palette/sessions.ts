/** The commands for sessions. */
import * as vscode from 'vscode';
import { withoutLinks } from '../../stored-text';
import { askLine, type PaletteCommand } from './command';

export const SESSION_COMMANDS: readonly PaletteCommand[] = [
  {
    command: 'agentMemory.startSession',
    writes: 'memories',
    run: async ({ memories, place }) => {
      const { session: open } = await memories.state(place);
      if (open?.named) {
        await tellOpen(open.name);
        return;
      }
      const name = await askLine({
        title: vscode.l10n.t('Start Session'),
        prompt: vscode.l10n.t(
          'What is the session about? Until you end it, it holds everything that the editor stores.',
        ),
      });
      if (name === undefined) return;
      // One that a write has opened by itself is left: nobody knows of it. Naming the namespace does that.
      const left = open ? { namespace: place.namespace } : {};
      const { created } = await memories.call<{ created: boolean }>(place, 'memory_start_session', { name, ...left });
      const { session } = await memories.state(place);
      if (created) {
        const shown = withoutLinks(session?.name ?? name);
        vscode.window.showInformationMessage(vscode.l10n.t('The session "{0}" is open.', shown));
      } else await tellOpen(session?.name ?? name);
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

/** Somebody has begun it in this window, maybe before it was reloaded. */
async function tellOpen(name: string): Promise<void> {
  const end = vscode.l10n.t('End Session');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('The session "{0}" is still open. End it before you start another one.', withoutLinks(name)),
    end,
  );
  if (chosen === end) await vscode.commands.executeCommand('agentMemory.endSession');
}
