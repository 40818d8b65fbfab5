/** The language server: its features, from start to end. */
import * as l10n from '@vscode/l10n';
import {
  CodeActionKind,
  type Connection,
  createConnection,
  type InitializeParams,
  type InitializeResult,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Changed } from '../../protocol/requests';
import type { Log } from '../base/log';
import { openSymbolsOfTexts } from '../code/symbol-at';
import type { ConnectTeam } from '../project/team-memory';
import { CodeQueue } from './code-queue';
import { Doubts } from './doubts';
import { type Abilities, type Editor, inBackground } from './editor';
import { offerTools } from './features/call-tool';
import { codeLens } from './features/code-lens';
import { diagnostics } from './features/diagnostics';
import { tellFolderState } from './features/folder-state';
import { followTeams, teamToken } from './features/follow-teams';
import { hover, hoverBehindOthers } from './features/hover';
import { indexOnSave } from './features/index-on-save';
import { lineDecision } from './features/line-decision';
import { tellOperations } from './features/operations-of';
import { quickFixes } from './features/quick-fixes';
import { previewRecall } from './features/recall-preview';
import { rememberConsent } from './features/remember-consent';
import { nameSymbols } from './features/symbol-at';
import { trustStore } from './features/trust-store';
import { FILE_OPERATIONS, watchFiles } from './features/watched-files';
import type { Folder } from './folder';
import { Folders } from './folders';
import { InWork } from './in-work';
import type { Opening } from './opening';
import { startRefreshing, tellWindow } from './refresh';
import { asksFor, readSettings, readTexts, type Settings } from './settings';
import { SymbolLenses } from './symbol-lenses';

export interface ServeEditor extends Omit<Opening, 'connectTeam'> {
  /** The folder of the built programs. */
  readonly assets: string;
  readonly version: string;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** @param token that a person gave in the editor; undefined where none was */
  readonly teamConnector: (token: (address: string) => Promise<string | undefined>) => ConnectTeam;
  /** Called when the window said something. */
  readonly onRequest?: () => void;
}

/** Serves one window until its input ends. Resolves when every project is closed. */
export async function serveEditor(options: ServeEditor): Promise<void> {
  const { input, output, log } = options;
  const connection = createConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  const ended = new Promise<void>((resolve) => {
    input.on('end', resolve);
    input.on('close', resolve);
  });
  const { editor, setUp } = newEditor(connection, options, log);
  const symbols = openSymbolsOfTexts(options.assets);
  nameSymbols(editor, symbols);

  connection.onInitialize((params): InitializeResult => {
    setUp(params);
    return {
      serverInfo: { name: 'svc-language-server', version: options.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
        ...(editor.can.ownLenses ? {} : { codeLensProvider: {} }),
        hoverProvider: !editor.can.hoverLast,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        workspace: {
          workspaceFolders: { supported: true, changeNotifications: true },
          fileOperations: FILE_OPERATIONS,
        },
      },
    };
  });
  const close = async (): Promise<void> => {
    await editor.folders.close();
    await symbols.close();
  };
  connection.onShutdown(close);
  connection.listen();
  // The reader listens by now, so that nothing is lost to this one.
  if (options.onRequest) input.on('data', options.onRequest);
  await ended;
  await close();
}

interface NewEditor {
  readonly editor: Editor;
  readonly setUp: (params: InitializeParams) => void;
}

/** Wires the features. Nothing is opened until something is asked. */
function newEditor(connection: Connection, options: ServeEditor, log: Log): NewEditor {
  let settings: Settings = readSettings(undefined);
  let can: Abilities = { refreshLenses: false, watchFiles: false, hoverLast: false, ownLenses: false };
  const changeListeners: ((folder: Folder, what: Changed['what']) => void)[] = [];
  const settingsListeners: (() => void)[] = [];
  const readyListeners: (() => void)[] = [];
  const changed: Editor['changed'] = (folder, what) => {
    // What a team remembers is on no code here: nothing else is drawn again.
    if (what.length > 0 && what.every((each) => each === 'team')) return tellWindow(editor, folder, what);
    for (const listener of changeListeners) listener(folder, what);
  };
  const connectTeam = options.teamConnector((address) => teamToken(connection, address));
  const editor: Editor = {
    connection,
    documents: new TextDocuments(TextDocument),
    folders: new Folders({ ...options, connectTeam }, () => settings, changed),
    settings: () => settings,
    get can() {
      return can;
    },
    log,
    inWork: new InWork(),
    changed,
    onChanged: (listener) => void changeListeners.push(listener),
    onReady: (listener) => void readyListeners.push(listener),
    onSettings: (listener) => void settingsListeners.push(listener),
  };
  const doubts = new Doubts((folder) => (settings.trusted ? () => changed(folder, ['graph']) : undefined));
  startRefreshing(editor, doubts);
  const lenses = new SymbolLenses(editor);
  const queue = new CodeQueue(editor);
  offerTools(editor);
  previewRecall(editor);
  tellFolderState(editor, doubts);
  tellOperations(editor);
  codeLens(editor, lenses);
  hover(editor, lenses);
  hoverBehindOthers(editor);
  lineDecision(editor, lenses);
  diagnostics(editor, lenses);
  quickFixes(editor);
  indexOnSave(editor, queue);
  watchFiles(editor, queue);
  trustStore(editor);
  rememberConsent(editor, options);
  followTeams(editor);
  editor.documents.listen(connection);

  connection.onInitialized(() => {
    for (const listener of readyListeners) listener();
  });
  connection.onDidChangeConfiguration((params: { settings?: unknown }) => {
    settings = readSettings(params.settings);
    for (const listener of settingsListeners) listener();
  });
  return {
    editor,
    setUp(params) {
      l10n.config({ contents: readTexts(params.initializationOptions) });
      settings = readSettings(params.initializationOptions);
      can = {
        refreshLenses: params.capabilities.workspace?.codeLens?.refreshSupport === true,
        watchFiles: params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
        hoverLast:
          asksFor('hoverLast', params.initializationOptions) &&
          params.capabilities.textDocument?.hover?.dynamicRegistration === true,
        ownLenses: asksFor('ownLenses', params.initializationOptions),
      };
      for (const { uri } of params.workspaceFolders ?? []) editor.folders.add(uri);
      if (params.capabilities.workspace?.workspaceFolders) followFolders(editor);
    },
  };
}

/** A project is closed when its folder goes. Only a client that has folders may be asked to tell of them. */
function followFolders(editor: Editor): void {
  editor.onReady(() => {
    editor.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const { uri } of removed) inBackground(editor, editor.folders.remove(uri));
      for (const { uri } of added) editor.folders.add(uri);
    });
  });
}
