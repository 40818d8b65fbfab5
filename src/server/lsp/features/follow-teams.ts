/** The memories of teams: tokens that people gave in the editor. */
import type { Connection } from 'vscode-languageserver/node';
import type { WindowNotifications, WindowRequests } from '../../../protocol/requests';
import { type Editor, onRequest } from '../editor';

type TeamToken = WindowRequests['svc/teamToken'];

/** @returns undefined where none was given, or the client keeps none */
export async function teamToken(connection: Connection, address: string): Promise<string | undefined> {
  const method = 'svc/teamToken' satisfies keyof WindowRequests;
  const params: TeamToken['params'] = { address };
  const given: unknown = await connection.sendRequest(method, params).catch(() => undefined);
  return typeof given === 'string' && given !== '' ? given : undefined;
}

/** `svc/team`, and `svc/teamsChanged`: what was shut may be open now. */
export function followTeams(editor: Editor): void {
  onRequest(editor, 'svc/team', async (params) => {
    const folder = editor.folders.get(params.folder);
    return folder.teamNote(params.namespace ?? editor.settings().folder(folder.uri).namespace);
  });
  editor.connection.onNotification('svc/teamsChanged' satisfies keyof WindowNotifications, () => {
    for (const folder of editor.folders.all()) folder.askTeamAgain();
  });
}
