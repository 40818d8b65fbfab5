/** The log of the extension. */
import * as vscode from 'vscode';

/** The log that people open with "Agent Memory: Show Log"; its level is the editor's to set. */
export function openOutput(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel('Agent Memory', { log: true });
}

/** For the log: what is known of anything that was thrown. */
export function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
