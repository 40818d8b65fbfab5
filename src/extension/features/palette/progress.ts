/** Shows the progress of our programs. */
import * as vscode from 'vscode';
import type { ProgramProgress } from '../../programs';
import { MAX_ROW_LENGTH, withoutLinks } from '../../stored-text';

/**
 * Shows how far a program of ours has come; `onProgress` takes what it says of that.
 * Title and lines name files, whose names may be made to look like links.
 */
export function withProgress<Value>(
  title: string,
  work: (token: vscode.CancellationToken, onProgress: (progress: ProgramProgress) => void) => Promise<Value>,
): Thenable<Value> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title, MAX_ROW_LENGTH), cancellable: true },
    (report, token) => {
      let shown = 0;
      return work(token, ({ text, percent = shown }) => {
        report.report({ message: withoutLinks(text, MAX_ROW_LENGTH), increment: Math.max(0, percent - shown) });
        shown = Math.max(shown, percent);
      });
    },
  );
}
