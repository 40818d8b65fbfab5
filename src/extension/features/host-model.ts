import * as vscode from 'vscode';
import type { CreateMessageParams, CreateMessageResult, HostVariable } from '../../protocol/host-model';
import type { Editor } from '../editor';
import { type HostSocket, NoModel, openHostSocket } from '../host-socket';
import { described } from '../output';

const VARIABLE: HostVariable = 'SVC_MCP_HOST';

/**
 * Lets `svc ingest` and `svc sync` ask the editor's own model, without a key: in the integrated terminal, which gets
 * the address of a socket, and in the processes that the extension starts with `hostEnvironment`. The editor asks its
 * user before the first question. No model is looked for before somebody asks.
 */
export function hostModel(editor: Editor): vscode.Disposable {
  const { context, log } = editor;
  const terminal = context.environmentVariableCollection;
  // The socket lives as long as this window: a terminal that is restored later must not get its address.
  terminal.persistent = false;
  const socket = openHostSocket((params, gone) => askModel(params, gone, log));
  opened = socket;
  socket.ready.then(
    () => terminal.replace(VARIABLE, socket.path),
    (error: unknown) => log.warn(`The model of the editor is not offered to svc ingest: ${described(error)}`),
  );
  return {
    dispose() {
      if (opened === socket) opened = undefined;
      terminal.delete(VARIABLE);
      socket.dispose();
    },
  };
}

let opened: HostSocket | undefined;

/** What a child process of the extension needs to ask the editor's model. */
export function hostEnvironment(): Readonly<Record<string, string>> {
  return opened === undefined ? {} : { [VARIABLE]: opened.path };
}

/** @throws NoModel */
async function askModel(
  params: CreateMessageParams,
  gone: AbortSignal,
  log: vscode.LogOutputChannel,
): Promise<CreateMessageResult> {
  const model = await chooseModel(params.modelPreferences?.hints[0]?.name).catch((error: unknown) => {
    log.warn(`The editor named no model: ${described(error)}`);
    throw new NoModel('failed');
  });
  if (!model) throw new NoModel('missing');
  // Nobody waits for the answer any more.
  if (gone.aborted) throw new NoModel('failed');
  const cancel = new vscode.CancellationTokenSource();
  const stop = (): void => cancel.cancel();
  gone.addEventListener('abort', stop, { once: true });
  try {
    // The editor's models know no system message: it goes first.
    const texts = [params.systemPrompt, ...params.messages.map(({ content }) => content.text)];
    const justification = vscode.l10n.t('To tell which sections of documents speak of which code.');
    const response = await model.sendRequest(
      texts.map((text) => vscode.LanguageModelChatMessage.User(text)),
      { justification },
      cancel.token,
    );
    let text = '';
    for await (const piece of response.text) text += piece;
    return { role: 'assistant', content: { type: 'text', text }, model: model.id };
  } catch (error) {
    log.warn(`The model ${model.id} did not answer: ${described(error)}`);
    const code = error instanceof vscode.LanguageModelError ? error.code : '';
    if (code === vscode.LanguageModelError.NotFound.name) throw new NoModel('missing');
    throw new NoModel(code === vscode.LanguageModelError.NoPermissions.name ? 'refused' : 'failed');
  } finally {
    gone.removeEventListener('abort', stop);
    cancel.dispose();
  }
}

/** The model of this id or family; else the first that the editor offers. */
async function chooseModel(name: string | undefined): Promise<vscode.LanguageModelChat | undefined> {
  if (name !== undefined) {
    const [byId] = await vscode.lm.selectChatModels({ id: name });
    const [byFamily] = byId ? [] : await vscode.lm.selectChatModels({ family: name });
    return byId ?? byFamily;
  }
  const [first] = await vscode.lm.selectChatModels();
  return first;
}
