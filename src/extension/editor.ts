/** What every feature of the extension gets. */
import type * as vscode from 'vscode';
import type { FolderChanges } from './folders';
import type { ForeignStores } from './foreign-stores';
import type { LanguageServer } from './language-client';
import type { Namespaces } from './namespaces';

/** What every feature gets: made once, when the extension is activated. */
export interface Editor {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly version: string;
  readonly namespaces: Namespaces;
  readonly folders: FolderChanges;
  /** Fires when a person has agreed to ask the memory of a team. */
  readonly teams: vscode.EventEmitter<void>;
  /** The file of a built program: `program('svc-memory-mcp')`. */
  program(name: string): string;
}

/** One contribution of the extension. What it gives back is disposed of when the extension is. */
export type Feature = (editor: Editor, server: LanguageServer, foreign: ForeignStores) => vscode.Disposable;
