/** Puts `svc` and `svc-memory` on the PATH of the terminal. */
import { delimiter, join } from 'node:path';
import * as vscode from 'vscode';
import type { Editor } from '../editor';

/** The folder that holds them, beside the programs (scripts/terminal-commands.mjs). */
const FOLDER = 'terminal-bin';
/** What they run on: the editor's own Node. */
const NODE_VARIABLE = 'SVC_NODE';

/**
 * Lets people type `svc` and `svc-memory` in the integrated terminal without installing anything. A command of that
 * name that they have installed comes first.
 */
export function terminalCommands({ context, program }: Editor): vscode.Disposable {
  const terminal = context.environmentVariableCollection;
  terminal.description = vscode.l10n.t('Adds `svc` and `svc-memory`, which may use the model of the editor.');
  terminal.replace(NODE_VARIABLE, process.execPath);
  // A shell's start-up files may set the path again; the same folder twice does no harm.
  const options = { applyAtProcessCreation: true, applyAtShellIntegration: true };
  terminal.append('PATH', delimiter + join(program('svc'), '..', FOLDER), options);
  return {
    dispose() {
      terminal.delete('PATH');
      terminal.delete(NODE_VARIABLE);
    },
  };
}
