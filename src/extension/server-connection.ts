/** The connection to the language server. The library behind it is large, and is loaded with this module when it is needed. */
import * as vscode from 'vscode';
import {
  CloseAction,
  CodeLensRequest,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import type { Editor } from './editor';
import { languageServerProcess } from './language-server-process';
import { initialization } from './server-settings';

/** The commands that a link in a hover may run. The rest of a hover is stored text. */
const HOVER_COMMANDS = [
  'agentMemory.confirm',
  'agentMemory.showChange',
  'agentMemory.refute',
  'agentMemory.supersede',
  'agentMemory.openMemory',
  'agentMemory.showSymbolMemories',
];

/** What the one who connects is told of, and asked. */
export interface Followed {
  /** It runs, for the first time or again. */
  runs(): void;
  /** It ended unexpectedly. @returns whether it is started again */
  ended(): boolean;
}

export function newConnection(editor: Editor, followed: Followed): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file' }],
    initializationOptions: () => initialization(editor),
    outputChannel: editor.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: {
      async provideHover(document, position, token, next) {
        // It is offered for any language of any scheme: nothing narrower stands behind the language's own.
        if (document.uri.scheme !== 'file') return null;
        const hover = await next(document, position, token);
        for (const content of hover?.contents ?? []) {
          if (!(content instanceof vscode.MarkdownString)) continue;
          content.isTrusted = { enabledCommands: HOVER_COMMANDS };
          content.supportHtml = false;
          content.supportThemeIcons = false;
        }
        return hover;
      },
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => ({ action: followed.ended() ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
    },
  };
  const client = new LanguageClient(
    'agentMemory',
    'Agent Memory',
    { ...languageServerProcess(editor.program('svc-language-server')), transport: TransportKind.stdio },
    options,
  );
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) followed.runs();
  });
  return client;
}

/** What the library makes of a request for lenses that failed. @throws what is to be told of */
export function failedLenses(client: LanguageClient, token: vscode.CancellationToken, error: unknown): undefined {
  return client.handleFailedRequest(CodeLensRequest.type, token, error, undefined);
}
