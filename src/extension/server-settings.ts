/** What the language server is told of this window. */
import * as vscode from 'vscode';
import type { Initialization, ServerSettings } from '../protocol/requests';
import type { Editor } from './editor';
import { storeNamedFor } from './folders';
import { setting } from './settings';

export function initialization(editor: Editor): Initialization {
  const texts = vscode.l10n.bundle;
  return { ...settings(editor), ...(texts ? { texts } : {}), hoverLast: true, ownLenses: true };
}

export function settings(editor: Editor): ServerSettings {
  const all = vscode.workspace.getConfiguration('agentMemory');
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => {
    const own = vscode.workspace.getConfiguration('agentMemory', uri);
    const { file, ofWorkspace } = storeNamedFor(uri);
    return [
      uri.toString(),
      {
        namespace: editor.namespaces.of(uri),
        autoInit: own.get('autoInit', true),
        storePath: file ?? '',
        storePathOfWorkspace: ofWorkspace,
      },
    ] as const;
  });
  const kindsIn = (what: 'codeLens' | 'hover') => {
    const kinds = all.get<string[]>(`${what}.kinds`);
    return kinds ? { kinds } : {};
  };
  return {
    folders: Object.fromEntries(folders),
    trusted: vscode.workspace.isTrusted,
    keep: setting('keep'),
    codeLens: { enabled: all.get('codeLens.enabled', true), ...kindsIn('codeLens') },
    hover: { enabled: all.get('hover.enabled', true), ...kindsIn('hover') },
    diagnostics: { enabled: all.get('diagnostics.enabled', false) },
  };
}
