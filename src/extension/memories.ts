/** The interface to the memories of the window. */
import type * as vscode from 'vscode';
import type {
  Changed,
  FileDecoration,
  FolderState,
  LastChanges,
  LineDecision,
  StoreAccount,
  SymbolAtResult,
  TrustStoreParams,
} from '../protocol/requests';
import type { TeamNote } from '../protocol/team-note';
import type { RecalledMemory } from '../protocol/tool-values';
import type { ProgramProcess } from './programs';

/** Where a memory is. */
export interface Place {
  readonly folder: vscode.Uri;
  readonly namespace: string;
}

/** Something that was done to the memory and can be undone. */
export interface Done {
  readonly place: Place;
  readonly operation: number;
  /** What was done in the same step there, the last first. */
  readonly before?: readonly Done[];
}

export interface Acted<Value> {
  readonly value: Value;
  readonly operation: number | null;
}

/** What was done from this window, and what of it was one step for the person, though it changed several memories. */
export interface Steps {
  /** The last change in such a place that was not undone. */
  last(isThere: (place: Place) => boolean): Done | undefined;
  /** The last undoing in such a place that was not taken back, and after which nothing was changed. */
  lastUndoing(isThere: (place: Place) => boolean): Done | undefined;
  /** These were done at once, so they are taken back at once. */
  noteStep(done: readonly Done[]): void;
  /** What was done in the same step, the last first, without the change itself. */
  doneWith(place: Place, operation: number): readonly Done[];
}

/** The memory of this window's folders, as the features use it. */
export interface Memories {
  /**
   * Calls a tool of the registry. `Value` states what it answers; it is not checked. With `isRead`, `undo` takes a number
   * that was read from the store just now.
   * @throws Error whose message is for people: what is wrong and what to do
   */
  call<Value>(place: Place, name: string, input?: Readonly<Record<string, unknown>>): Promise<Value>;
  /** The same, with the number that takes back what was done; null where nothing can be. */
  act<Value>(place: Place, name: string, input: Readonly<Record<string, unknown>>): Promise<Acted<Value>>;
  /** The same, for what an agent would read: Markdown, or the value as JSON. */
  text(place: Place, name: string, input?: Readonly<Record<string, unknown>>): Promise<string>;
  /** What a program did that this window has run: from now on it is one of the window's own changes. */
  doneBy(place: Place, program: ProgramProcess): Promise<readonly Done[]>;
  readonly steps: Steps;
  /** What a person may mean by the last change there. @param own the last one of this window that stands */
  lastChanges(place: Place, own?: number): Promise<LastChanges>;
  /** What the store would tell an agent of it, best first, without counting the memories as used. */
  recalled(
    place: Place,
    query: string,
    options: Readonly<Record<string, unknown>>,
    budgetTokens?: number,
  ): Promise<readonly RecalledMemory[]>;
  /** What a person should know of a store before accepting it; `accept` is a person's word, never said for one. */
  trustStore(place: Place, action: TrustStoreParams['action']): Promise<StoreAccount>;
  /** Keeps what a person agreed to: that documents go to this server. @throws Error as `call` */
  rememberConsent(place: Place, provider: string, host: string): Promise<void>;
  /** What lies at this line of an open document, from 1, as memories on code call it. */
  symbolAt(document: vscode.TextDocument, line: number): Promise<SymbolAtResult>;
  /** What stands at the end of this line of an open document, from 1; null where nothing does. */
  lineDecision(document: vscode.TextDocument, line: number): Promise<LineDecision | null>;
  state(place: Place): Promise<FolderState>;
  /** The team whose memory is asked, too; null where none is. Nobody is asked for it. */
  team(place: Place): Promise<TeamNote | null>;
  decorations(place: Place): Promise<readonly FileDecoration[]>;
  readonly onDidChange: vscode.Event<Changed>;
}
