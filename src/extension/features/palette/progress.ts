/** Shows the progress of our programs. */
import * as vscode from 'vscode';
import { MAX_ROW_LENGTH, withoutLinks } from '../../stored-text';

/**
 * Shows how far a program of ours has come; `onProgress` takes its lines, which end in `(12 %)` where that is known.
 * Title and lines name files, whose names may be made to look like links.
 */
export function withProgress<Value>(
  title: string,
  work: (token: vscode.CancellationToken, onProgress: (line: string) => void) => Promise<Value>,
): Thenable<Value> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title, MAX_ROW_LENGTH), cancellable: true },
    (report, token) => {
      let shown = 0;
      return work(token, (line) => {
        const percent = Number(/\((\d+) %\)/.exec(line)?.[1] ?? shown);
        report.report({ message: withoutLinks(line, MAX_ROW_LENGTH), increment: Math.max(0, percent - shown) });
        shown = Math.max(shown, percent);
      });
    },
  );
}
