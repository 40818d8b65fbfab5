/** Shows the decision on the current line. */
import * as vscode from 'vscode';
import { afterPause } from '../after-pause';
import type { Editor } from '../editor';
import { folderOf } from '../folders';
import type { Memories } from '../memories';
import { described } from '../output';
import { onSettingChange, setSetting, setting } from '../settings';
import { plainLine } from '../stored-text';

/** While somebody moves through lines, nothing flickers beside them. */
const PAUSE_MS = 250;
/** More than any line has; the editor takes it for the last one. */
const LINE_END = 0x3fffffff;

/** The decision on the code around the cursor, in grey at the end of the cursor's line; a key switches it. */
export function currentLine(editor: Editor, memories: Memories): vscode.Disposable {
  const grey = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3em', fontStyle: 'italic' },
  });
  let shown: { readonly on: vscode.TextEditor; readonly line: number } | undefined;
  const clear = (): void => {
    shown?.on.setDecorations(grey, []);
    shown = undefined;
  };
  const ask = afterPause(async () => {
    const on = vscode.window.activeTextEditor;
    const asked = on && lineOf(on);
    if (!on || asked === undefined || !folderOf(on.document.uri)?.store.exists) return clear();
    const { version } = on.document;
    const decision = await memories.lineDecision(on.document, asked + 1).catch((error: unknown) => {
      editor.log.debug(`Nothing is said of the current line: ${described(error)}`);
      return null;
    });
    // What is asked for meanwhile answers for itself.
    if (vscode.window.activeTextEditor !== on || on.document.version !== version || lineOf(on) !== asked) return;
    if (shown?.on !== on) clear();
    if (!decision) return clear();
    // The end of the line as it is when this arrives: among letters that were typed meanwhile, the cursor would be behind it.
    const range = new vscode.Range(asked, LINE_END, asked, LINE_END);
    on.setDecorations(grey, [{ range, renderOptions: { after: { contentText: plainLine(decision.text) } } }]);
    shown = { on, line: asked };
  }, PAUSE_MS);
  const follow = (): void => {
    const on = vscode.window.activeTextEditor;
    // A line that is left loses it at once.
    if (shown && (shown.on !== on || lineOf(on) !== shown.line)) clear();
    ask();
  };
  follow();
  return vscode.Disposable.from(
    grey,
    ask,
    vscode.commands.registerCommand('agentMemory.toggleCurrentLine', () =>
      setSetting('currentLine.enabled', !setting('currentLine.enabled')),
    ),
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) follow();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) follow();
    }),
    onSettingChange(['currentLine.enabled', 'codeLens.enabled'], follow),
    memories.onDidChange(follow),
    editor.namespaces.onDidChange(follow),
    editor.folders.onDidChange(follow),
  );
}

/**
 * From 0; undefined where nothing is to be said: in what is no file, with several cursors, and where something is selected,
 * which may be typed over.
 */
function lineOf({ document, selection, selections }: vscode.TextEditor): number | undefined {
  const isPlace = document.uri.scheme === 'file' && selections.length === 1 && selection.isEmpty;
  if (!isPlace || !setting('currentLine.enabled')) return undefined;
  return selection.active.line;
}
