/** Says which line of an editor is meant. */
import type * as vscode from 'vscode';

/**
 * Where the cursor is, among what is selected: below whole lines that are selected it stands in the line after them,
 * which may be in another function. Lines without text are in none.
 */
export function meantPosition({ document, selection }: vscode.TextEditor): vscode.Position {
  const { start, end, active, isEmpty } = selection;
  if (isEmpty) return active;
  const last = end.character === 0 ? end.line - 1 : end.line;
  const lines = Array.from({ length: last - start.line + 1 }, (_, i) => start.line + i);
  const nearest = active.isEqual(end) ? lines.toReversed() : lines;
  const line = nearest.find((each) => !document.lineAt(each).isEmptyOrWhitespace);
  return line === undefined || line === active.line ? active : document.lineAt(line).range.end;
}
