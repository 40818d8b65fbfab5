/** The tokens for the memories of teams: in the editor's secret storage, by address. */
import type * as vscode from 'vscode';

type Kept = Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState'>;

/** Which address a folder asks is no secret. */
const FOLDERS = 'agentMemory.team';
const keyOf = (address: string): string => `agentMemory.team ${address}`;

function addresses({ workspaceState }: Pick<Kept, 'workspaceState'>): Readonly<Record<string, string>> {
  return workspaceState.get<Record<string, string>>(FOLDERS, {});
}

/** The address that was agreed to in this window. */
export function teamOf(kept: Pick<Kept, 'workspaceState'>, folder: vscode.Uri): string | undefined {
  return addresses(kept)[folder.toString()];
}

export async function keepTeam(kept: Kept, folder: vscode.Uri, address: string, token: string): Promise<void> {
  await kept.secrets.store(keyOf(address), token);
  await kept.workspaceState.update(FOLDERS, { ...addresses(kept), [folder.toString()]: address });
}

export function tokenOf({ secrets }: Pick<Kept, 'secrets'>, address: string): Thenable<string | undefined> {
  return secrets.get(keyOf(address));
}

/** Tells the address whose token was given or taken away, in any window. */
export function onTokenChange(
  { secrets }: Pick<Kept, 'secrets'>,
  listener: (address: string) => void,
): vscode.Disposable {
  return secrets.onDidChange(({ key }) => {
    if (key.startsWith(keyOf(''))) listener(key.slice(keyOf('').length));
  });
}

export function tokenFor(address: string, token: string): Record<string, string> {
  return { SVC_MEMORY_TOKEN: token, SVC_MEMORY_TOKEN_FOR: address };
}
