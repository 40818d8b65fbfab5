/** Starts the language server, and talks to it. */
import * as vscode from 'vscode';
import type { LanguageClient, ResponseError } from 'vscode-languageclient/node';
import type {
  Changed,
  Notifications,
  RefusalData,
  Requests,
  WindowNotifications,
  WindowRequests,
} from '../protocol/requests';
import type { Editor } from './editor';
import { memoryFolders } from './folders';
import { Lenses } from './lenses';
import type { Memories, Place } from './memories';
import { described } from './output';
import { OwnChanges } from './own-changes';
import { refusalOf } from './refusal-words';
import { settings } from './server-settings';
import { onTokenChange, tokenOf } from './team-tokens';

/** The memory of the window, behind one language server that is started when it is first needed. */
export interface LanguageServer extends Memories, vscode.Disposable {
  /** One of our own requests. @throws Error whose message is for people */
  request<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method]['params'],
    token?: vscode.CancellationToken,
  ): Promise<Requests[Method]['result']>;
}

/** A server that dies this often within this time is left alone. */
const MOST_CRASHES = 4;
const WITHIN_MS = 3 * 60_000;
const STOP_PATIENCE_MS = 2_000;
/** What is recalled beside a list: as much as is looked at there. */
const RECALLED_TOKENS = 800;
const EVERYTHING = ['memory', 'graph', 'review'] as const;

export function languageServer(editor: Editor): LanguageServer {
  const changed = new vscode.EventEmitter<Changed>();
  /** Settled once it answers. */
  let running: Promise<LanguageClient> | undefined;
  let crashes: number[] = [];
  /** It died too often: only a person starts it again. */
  let leftAlone = false;
  let disposed = false;
  // Other extensions wait for this one to be activated, and nobody waits for the server yet.
  const activated = new Promise<void>((done) => void setImmediate(done));

  const leaveAlone = (): void => {
    running = undefined;
    crashes = [];
    leftAlone = true;
    lenses.refresh();
    void tellStopped(editor, () => {
      leftAlone = false;
      void start();
      lenses.refresh();
    });
  };
  const ended = (): boolean => {
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < WITHIN_MS), now];
    const count = crashes.length;
    if (count > MOST_CRASHES) {
      leaveAlone();
      return false;
    }
    editor.log.error('The memory server ended unexpectedly and is started again.');
    // The editor hides messages that come in quick succession: the one that it was left alone must be seen.
    if (count === 1) void tellRestarted(editor);
    return true;
  };
  const connect = async (): Promise<LanguageClient> => {
    await activated;
    const { newConnection } = await import('./server-connection');
    if (disposed) throw new vscode.CancellationError();
    let ran = false;
    const runs = (): void => {
      // A server that was started again has nothing open, so it would see no change of what is on the screen.
      if (ran) {
        for (const { uri } of memoryFolders()) changed.fire({ folder: uri.toString(), what: EVERYTHING });
        lenses.refresh();
      }
      ran = true;
    };
    const client = newConnection(editor, { runs, ended });
    client.onNotification('svc/changed' satisfies keyof Notifications, (what: Changed) => changed.fire(what));
    answerForTokens(editor, client);
    lenses.follow(client);
    await client.start();
    return client;
  };
  const stop = async (client: LanguageClient): Promise<void> => {
    try {
      await client.dispose(STOP_PATIENCE_MS);
    } catch (error) {
      editor.log.warn(`The memory server did not stop by itself: ${described(error)}`);
    }
  };
  const start = (): Promise<LanguageClient> => {
    if (running) return running;
    const starting = connect();
    running = starting;
    starting.catch((error: unknown) => {
      if (disposed) return;
      editor.log.error(`The memory server did not start: ${described(error)}`);
      if (running === starting) running = undefined;
    });
    return starting;
  };

  /** A file of a folder that has memories is open: lenses, hovers and diagnostics are wanted. */
  const startIfWanted = (): void => {
    if (running || disposed || leftAlone) return;
    const stores = memoryFolders().filter(({ store }) => store.exists);
    if (stores.length === 0) return;
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file');
    if (open.some(({ uri }) => vscode.workspace.getWorkspaceFolder(uri))) void start();
  };
  const lenses = new Lenses(() => {
    startIfWanted();
    return disposed || leftAlone ? undefined : running;
  });
  const sendSettings = (): void => {
    running
      ?.then((client) => client.sendNotification('workspace/didChangeConfiguration', { settings: settings(editor) }))
      .catch((error: unknown) => editor.log.warn(`Settings were not sent: ${described(error)}`));
  };
  const request: LanguageServer['request'] = async (method, params, token) => {
    if (disposed) throw new vscode.CancellationError();
    if (leftAlone) throw new Error(vscode.l10n.t('The memory server is not running. Reload the window to start it.'));
    try {
      const client = await start();
      return await (token ? client.sendRequest(method, params, token) : client.sendRequest(method, params));
    } catch (error) {
      if (disposed || token?.isCancellationRequested) throw new vscode.CancellationError();
      editor.log.warn(`${method}: ${described(error)}`);
      throw new Error(isOurs(error) ? error.message : vscode.l10n.t('The memory server does not answer. Try again.'));
    }
  };
  const ownChanges = new OwnChanges();
  const callTool = async (place: Place, name: string, input: Readonly<Record<string, unknown>> = {}) => {
    const { isRead, ...given } = input;
    const answer = await request('svc/callTool', {
      ...{ ...inFolder(place), name, arguments: given },
      ...(isRead === true ? { isRead } : {}),
    });
    if (!answer.ok) throw refusalOf(answer.error, { name, place, operation: input.operation }, ownChanges);
    if (answer.operation !== null) ownChanges.note(place, name, answer.operation, answer.value);
    return answer;
  };
  const tellOfTeams = (): void => {
    running
      ?.then((client) => client.sendNotification('svc/teamsChanged' satisfies keyof WindowNotifications))
      .catch((error: unknown) =>
        editor.log.warn(`The language server could not be told that the team changed: ${described(error)}`),
      );
  };
  const listening = [
    editor.teams.event(tellOfTeams),
    onTokenChange(editor.context, tellOfTeams),
    vscode.workspace.onDidOpenTextDocument(startIfWanted),
    editor.folders.onDidChange(() => {
      sendSettings();
      startIfWanted();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('agentMemory')) sendSettings();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(sendSettings),
    editor.namespaces.onDidChange(sendSettings),
  ];
  startIfWanted();

  return {
    request,
    onDidChange: changed.event,
    async call<Value>(place: Place, name: string, input?: Readonly<Record<string, unknown>>) {
      return (await callTool(place, name, input)).value as Value;
    },
    async act<Value>(place: Place, name: string, input: Readonly<Record<string, unknown>>) {
      const { value, operation } = await callTool(place, name, input);
      return { value: value as Value, operation };
    },
    text: async (place, name, input) => (await callTool(place, name, input)).text,
    steps: ownChanges,
    async doneBy(place, program) {
      return ownChanges.noteProgram(place, await request('svc/operationsOf', { ...inFolder(place), ...program }));
    },
    lastChanges: (place, own) => request('svc/lastChanges', { ...inFolder(place), own }),
    async recalled(place, query, options, budgetTokens = RECALLED_TOKENS) {
      const found = await request('svc/recallPreview', {
        ...{ ...inFolder(place), query, options, budgetTokens, alone: true },
      });
      if (found.ok) return found.value.items;
      throw new Error(found.error.message);
    },
    async trustStore({ folder }, action) {
      const answer = await request('svc/trustStore', { folder: folder.toString(), action });
      if (answer.ok) return answer.account;
      throw new Error(answer.error.message);
    },
    async rememberConsent({ folder }, provider, host) {
      const answer = await request('svc/rememberConsent', { folder: folder.toString(), provider, host });
      if (!answer.ok) throw new Error(answer.error.message);
    },
    symbolAt: ({ uri }, line) => request('svc/symbolAt', { file: uri.toString(), line }),
    lineDecision: ({ uri }, line) => request('svc/lineDecision', { file: uri.toString(), line }),
    state: (place) => request('svc/folderState', inFolder(place)),
    team: (place) => request('svc/team', inFolder(place)),
    decorations: (place) => request('svc/decorations', inFolder(place)),
    dispose() {
      disposed = true;
      for (const each of listening) each.dispose();
      changed.dispose();
      lenses.dispose();
      const before = running;
      running = undefined;
      // One that did not start has been told of.
      before?.then(stop, () => undefined);
    },
  };
}

/** The token never stands in an argument, a file or the environment of the server. */
function answerForTokens({ context }: Editor, client: LanguageClient): void {
  client.onRequest(
    'svc/teamToken' satisfies keyof WindowRequests,
    async ({ address }: WindowRequests['svc/teamToken']['params']) =>
      (vscode.workspace.isTrusted ? await tokenOf(context, address) : undefined) ?? null,
  );
}

async function tellRestarted({ log }: Editor): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t(
    'The memory server stopped unexpectedly and was restarted. All stored memories are safe.',
  );
  if ((await vscode.window.showWarningMessage(message, showLog)) === showLog) log.show();
}

async function tellStopped({ log }: Editor, again: () => void): Promise<void> {
  const message = vscode.l10n.t(
    'The memory server stopped {0} times within {1} minutes, so it is not restarted automatically. All stored memories are safe.',
    MOST_CRASHES + 1,
    WITHIN_MS / 60_000,
  );
  const restart = vscode.l10n.t('Start Again');
  const showLog = vscode.l10n.t('Show Log');
  const chosen = await vscode.window.showErrorMessage(message, restart, showLog);
  if (chosen === restart) again();
  if (chosen === showLog) log.show();
}

function inFolder({ folder, namespace }: Place): { folder: string; namespace: string } {
  return { folder: folder.toString(), namespace };
}

/** A refusal in the server's own words; what the connection says of itself is for the log. */
function isOurs(error: unknown): error is ResponseError<RefusalData> {
  return error instanceof Error && (error as Partial<ResponseError<Partial<RefusalData>>>).data?.code !== undefined;
}
