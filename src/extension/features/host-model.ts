/** Lets our programs ask the editor's model. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { MAX_ANSWER_LENGTH } from '../../question/limits';
import { promptOf } from '../../question/prompt';
import { NoModel } from '../../question/question-server';
import type { Asked, HostTokenVariable, HostVariable, Judged } from '../../question/wire';
import type { Editor } from '../editor';
import { memoryFolders } from '../folders';
import { type AskedAbout, hostAccess } from '../host-access';
import { openHostSocket } from '../host-socket';
import { described } from '../output';
import { plainLine } from '../stored-text';

const VARIABLE: HostVariable = 'SVC_MCP_HOST';
const TOKEN_VARIABLE: HostTokenVariable = 'SVC_MCP_HOST_TOKEN';
const TOKEN_BYTES = 32;

/**
 * Lets `svc ingest` and `svc sync` use the editor's own model, without a key. Programs in the integrated terminal get
 * the address of a socket, and so do processes that the extension starts with `hostEnvironment`. The editor asks its
 * user before the first question; for the terminal, where any program may run, we ask as well. No model is looked for
 * before the first question.
 */
export function hostModel(editor: Editor): vscode.Disposable {
  const { context, log } = editor;
  const terminal = context.environmentVariableCollection;
  // The socket lives as long as this window: a terminal that is restored later must not get its address.
  terminal.persistent = false;
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const socket = openHostSocket({
    admits: hostAccess(token, (about) => askUser(about, log)),
    answer: (asked, stop) => askModel(asked, stop, log),
  });
  const own = { [VARIABLE]: socket.path, [TOKEN_VARIABLE]: token };
  environment = own;
  socket.ready.then(
    () => terminal.replace(VARIABLE, socket.path),
    (error: unknown) => log.warn(`The model of the editor is not offered to svc ingest: ${described(error)}`),
  );
  return {
    dispose() {
      if (environment === own) environment = {};
      terminal.delete(VARIABLE);
      socket.dispose();
    },
  };
}

let environment: Readonly<Record<string, string>> = {};

/** What a child process of the extension needs to ask the editor's model. */
export function hostEnvironment(): Readonly<Record<string, string>> {
  return environment;
}

/** The name that a program in the terminal gives is shown as a claim: it cannot be checked here. */
async function askUser({ folder, sections }: AskedAbout, log: vscode.LogOutputChannel): Promise<boolean> {
  const known = memoryFolders().find(({ path }) => path === folder);
  const name = plainLine(known?.name ?? folder);
  const allow = vscode.l10n.t('Allow for This Window');
  const chosen = await vscode.window.showWarningMessage<vscode.MessageItem>(
    sections === 1
      ? vscode.l10n.t(
          "A program in the terminal wants to ask the editor's model about 1 section of a document in {0}.",
          name,
        )
      : vscode.l10n.t(
          "A program in the terminal wants to ask the editor's model about {0} sections of documents in {1}.",
          sections,
          name,
        ),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Sections, and names, signatures and summaries of code, go to the model that you chat with. Your answer applies to every program in the terminals of this window until you reload the window.',
      ),
    },
    { title: allow },
    { title: vscode.l10n.t("Don't Allow"), isCloseAffordance: true },
  );
  const allowed = chosen?.title === allow;
  log.info(
    `Programs in the terminal ${allowed ? 'may' : 'may not'} ask the model of the editor; the first asked about ${name}`,
  );
  return allowed;
}

/** @throws NoModel */
async function askModel(
  { question, model: named }: Asked,
  stop: AbortSignal,
  log: vscode.LogOutputChannel,
): Promise<Judged> {
  const model = await chooseModel(named).catch((error: unknown) => {
    log.warn(`The editor named no model: ${described(error)}`);
    throw new NoModel('failed');
  });
  if (!model) throw new NoModel('missing');
  // Nobody waits for the answer any more.
  if (stop.aborted) throw new NoModel('failed');
  const cancel = new vscode.CancellationTokenSource();
  const end = (): void => cancel.cancel();
  stop.addEventListener('abort', end, { once: true });
  try {
    const { system, user } = promptOf(question);
    const justification = vscode.l10n.t('To find out which code each section of a document describes.');
    const response = await model.sendRequest(
      // The editor's models know no system message: it goes first.
      [system, user].map((text) => vscode.LanguageModelChatMessage.User(text)),
      { justification },
      cancel.token,
    );
    let text = '';
    for await (const piece of response.text) {
      text += piece;
      // The editor has no ceiling of tokens to name: what is longer is no verdict.
      if (text.length > MAX_ANSWER_LENGTH) {
        end();
        throw new NoModel('failed');
      }
    }
    return { text, model: model.id };
  } catch (error) {
    log.warn(`The model ${model.id} did not answer: ${described(error)}`);
    if (error instanceof NoModel) throw error;
    const code = error instanceof vscode.LanguageModelError ? error.code : '';
    if (code === vscode.LanguageModelError.NotFound.name) throw new NoModel('missing');
    throw new NoModel(code === vscode.LanguageModelError.NoPermissions.name ? 'refused' : 'failed');
  } finally {
    stop.removeEventListener('abort', end);
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
