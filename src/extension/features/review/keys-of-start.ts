/** What becomes of the keys of a review before its first page is there. */
import * as vscode from 'vscode';
import { CODE_SCHEME } from './code-documents';
import { slowly } from './reading';

export interface KeysOfStart extends vscode.Disposable {
  /** While this works, they are typed nowhere and settle nothing: package.json has no command behind them. */
  during(start: () => Promise<void>): Promise<void>;
}

export function keysOfStart(): KeysOfStart {
  let starts = 0;
  let taken: boolean | undefined;
  const take = (now: boolean): void => {
    if (now === taken) return;
    taken = now;
    vscode.commands.executeCommand('setContext', 'agentMemory.reviewStarting', now);
  };
  // A window keeps what was said in it, also where its extensions are started once more.
  take(false);
  const { Mouse } = vscode.TextEditorSelectionChangeKind;
  const all = vscode.Disposable.from(
    // Who goes somewhere else meanwhile works there, and may have to wait long.
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      if (kind === Mouse) take(false);
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor && editor.document.uri.scheme !== CODE_SCHEME) take(false);
    }),
  );
  return {
    async during(start) {
      starts += 1;
      const isFirst = starts === 1;
      if (isFirst) take(true);
      try {
        await (isFirst ? slowly(start(), 'read') : start());
      } finally {
        starts -= 1;
        if (starts === 0) take(false);
      }
    },
    dispose: () => all.dispose(),
  };
}
