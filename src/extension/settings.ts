/** Reads the settings. */
import * as vscode from 'vscode';
import type { StorePathSetting } from './store-path';

const SECTION = 'agentMemory';

/** The settings that package.json declares, with the types they have there. */
export interface Settings {
  readonly autoInit: boolean;
  readonly autoBuild: boolean;
  readonly storePath: string;
  readonly namespace: string;
  readonly keep: 'keep' | 'ask' | 'propose';
  readonly tools: 'all' | 'core';
  readonly chatTools: boolean;
  readonly chatTrace: boolean;
  readonly 'codeLens.enabled': boolean;
  readonly 'currentLine.enabled': boolean;
  readonly 'fileMarks.enabled': boolean;
}

/** @param scope the folder or file that is asked for, where folders may differ */
export function setting<Name extends keyof Settings>(name: Name, scope?: vscode.Uri): Settings[Name] {
  const value = vscode.workspace.getConfiguration(SECTION, scope).get<Settings[Name]>(name);
  // package.json gives every setting a default, so this is a mistake of ours, not of a person.
  if (value === undefined) throw new Error(`package.json declares no setting ${SECTION}.${name}`);
  return value;
}

/** For this person, in all windows; where the workspace says another thing, for this workspace. */
export async function setSetting<Name extends keyof Settings>(name: Name, value: Settings[Name]): Promise<void> {
  const section = vscode.workspace.getConfiguration(SECTION);
  const ofWorkspace = section.inspect(name)?.workspaceValue !== undefined;
  await section.update(
    name,
    value,
    ofWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
  );
}

/** Where the store of a folder is said to be. What a workspace says counts less: see namedStore. */
export function storePathSetting(folder: vscode.Uri): StorePathSetting {
  return vscode.workspace.getConfiguration(SECTION, folder).inspect<string>('storePath') ?? {};
}

export function onSettingChange(names: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (names.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) listener();
  });
}
