/** Activates the extension. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Editor } from './editor';
import { watchFolders } from './folders';
import { watchForeignStores } from './foreign-stores';
import { languageServer } from './language-client';
import { openNamespaces } from './namespaces';
import { described, openOutput } from './output';

/**
 * Registers what package.json contributes. No file is read and no process started before something needs it. Other
 * extensions and what is typed get their turn between the parts: an editor that starts has much to do.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const work = inParts();
  const log = openOutput();
  const namespaces = openNamespaces(context.workspaceState);
  await work.pause();
  const folders = watchFolders();
  const teams = new vscode.EventEmitter<void>();
  context.subscriptions.push(log, namespaces, folders, teams);
  // package.json gives a version to every extension.
  const { version } = context.extension.packageJSON as { version: string };
  const editor: Editor = {
    context,
    log,
    version,
    namespaces,
    folders,
    teams,
    program: (name) => join(context.extensionPath, 'dist', `${name}.js`),
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('agentMemory.showLog', () => log.show()),
    vscode.commands.registerCommand('agentMemory.getStarted', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`),
    ),
  );
  await work.pause();
  const server = languageServer(editor);
  const foreign = watchForeignStores(editor, server);
  context.subscriptions.push(server, foreign);
  await work.pause();
  // Most of the extension's code: in the first file, the editor and other extensions would have to wait for it.
  const { FEATURES } = await import('./features/features');
  for (const [name, feature] of Object.entries(FEATURES)) {
    await work.pause();
    try {
      context.subscriptions.push(feature(editor, server, foreign));
    } catch (error) {
      tellFailure(editor, name, error);
    }
  }
  log.info(`Agent Memory ${version} is active, after ${work.taken()}`);
}

/** Work that lets others have their turn in between. */
function inParts(): { pause(): Promise<void>; taken(): string } {
  let since = performance.now();
  let total = 0;
  let longest = 0;
  const end = (): void => {
    const took = performance.now() - since;
    total += took;
    longest = Math.max(longest, took);
  };
  return {
    async pause() {
      end();
      await setImmediate();
      since = performance.now();
    },
    /** For the log. */
    taken() {
      end();
      return `${Math.round(total)} ms, at most ${Math.round(longest)} ms at a time`;
    },
  };
}

function tellFailure({ log }: Editor, feature: string, error: unknown): void {
  log.error(`${feature}: ${described(error)}`);
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('A part of Agent Memory did not start ({0}). See the log for the reason.', feature);
  vscode.window.showErrorMessage(message, showLog).then((chosen) => {
    if (chosen === showLog) log.show();
  });
}
