/** The command that asks the memory of a project's team. */
import * as vscode from 'vscode';
import { counted } from '../../kinds';
import { failureOf, runProgram } from '../../programs';
import { MAX_MESSAGE_LENGTH, plainLine, withoutLinks } from '../../stored-text';
import { keepTeam, tokenFor } from '../../team-tokens';
import type { Doing, PaletteCommand } from './command';
import { memoryFolder } from './memory-folder';

export const USE_TEAM: PaletteCommand = { command: 'agentMemory.useTeam', writes: 'files', run: useTeam };

/** As `svc-memory login --show --json` gives it. */
interface Named {
  readonly address: string | null;
  readonly agreed: boolean;
}

/** The address comes with the folder, so a person looks at it; the token is in the editor's secret storage and nowhere else. */
async function useTeam(doing: Doing): Promise<void> {
  const { editor, place } = doing;
  const { address } = await logIn<Named>(doing, ['--show']);
  if (address === null) {
    vscode.window.showInformationMessage(
      vscode.l10n.t('This project names no team. Its address belongs into .svc/config.yaml: team: https://…'),
    );
    return;
  }
  const ask = vscode.l10n.t('Ask It');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Ask the memory of the team at {0}?', withoutLinks(address, MAX_MESSAGE_LENGTH)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The address comes from the .svc/config.yaml of this project. Each recall of an agent, and each search in the editor, sends its question there, with your token. What is stored stays here.',
      ),
    },
    ask,
  );
  if (chosen !== ask) return;
  const token = await vscode.window.showInputBox({
    title: vscode.l10n.t("Token for the Team's Memory"),
    prompt: vscode.l10n.t("The operator of the server gave it to you. It is kept in the editor's secret storage."),
    password: true,
    ignoreFocusOut: true,
  });
  if (!token) return;
  const { memories } = await logIn<{ readonly memories: number }>(doing, ['--yes'], tokenFor(address, token.trim()));
  await keepTeam(editor.context, place.folder, address, token.trim());
  editor.teams.fire();
  vscode.window.showInformationMessage(
    vscode.l10n.t(
      "The team's memory answers: {0}. Agents are told of it with each recall.",
      counted.memories(memories),
    ),
  );
}

/** @throws Error with what the command says is wrong */
async function logIn<Answer>(
  { editor, place }: Doing,
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const ended = await runProgram(editor, {
    ...{ program: 'svc-memory', arguments: ['login', ...options, '--json'], environment },
    folder: memoryFolder(place),
  });
  if (ended.status !== 0) throw new Error(plainLine(failureOf(ended)));
  return JSON.parse(ended.output) as Answer;
}
