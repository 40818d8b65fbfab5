import type * as vscode from 'vscode';
import type { AgentFile, AgentFilesParams, Changed, FileDecoration, FolderState } from '../protocol/requests';

/** Where a memory is. */
export interface Place {
  readonly folder: vscode.Uri;
  readonly namespace: string;
}

/** The memory of this window's folders, as the features use it. */
export interface Memories {
  /**
   * Calls a tool of the registry. `Value` states what it answers; it is not checked.
   * @throws Error whose message is for people: what is wrong and what to do
   */
  call<Value>(place: Place, name: string, input?: Readonly<Record<string, unknown>>): Promise<Value>;
  /** The same, for what an agent would read: Markdown, or the value as JSON. */
  text(place: Place, name: string, input?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Installs or removes what tells agents to use the memory. */
  agentFiles(
    place: Place,
    what: AgentFilesParams['what'],
    action: AgentFilesParams['action'],
  ): Promise<readonly AgentFile[]>;
  state(place: Place): Promise<FolderState>;
  decorations(place: Place): Promise<readonly FileDecoration[]>;
  readonly onDidChange: vscode.Event<Changed>;
}
