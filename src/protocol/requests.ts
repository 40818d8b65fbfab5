/**
 * What the extension and the language server say to each other beside LSP itself. Types only: nothing of this file is
 * left at run time; method names are the keys of the maps at the end, so a misspelt one does not compile.
 */

import type { HistoryEvent } from './explorer';
import type { TeamNote } from './team-note';
import type { RecalledMemories } from './tool-values';

/** A URI as text, as in LSP. */
export type Uri = string;

/** What became of a symbol since a memory was kept on it, judged from the code. Worst last. */
export type Verdict = 'unchanged' | 'not judged' | 'moved' | 'other version' | 'changed' | 'gone';
/** The verdicts that the editor shows. */
export type Doubtful = 'changed' | 'gone';

/** Every request names its folder; the namespace is the one of the settings where it is missing. */
export interface InFolder {
  readonly folder: Uri;
  readonly namespace?: string;
}

export interface CallToolParams extends InFolder {
  /** As in the registry: `memory_recall`, `node`, `query_codebase`, … */
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Of `undo`: the operation was read from the store just now, and not given by a call before. */
  readonly isRead?: boolean;
  /** The host of the agent that calls, as it names itself to servers. Missing where a person acts. */
  readonly agent?: string;
}

export type CallToolResult =
  | {
      readonly ok: true;
      /** What an agent reads: Markdown, or the value as JSON. */
      readonly text: string;
      /** What the tool answers: its own type, which the text is printed from. */
      readonly value: unknown;
      /**
       * What the tool `undo` takes to take back all that the call did; null where nothing can be. Below zero: what was
       * changed in the file of a shared memory, as long as the server runs.
       */
      readonly operation: number | null;
    }
  | { readonly ok: false; readonly error: ToolError };

export interface ToolError {
  readonly code: 'invalid_input' | 'not_found' | 'conflict' | 'unavailable' | 'internal';
  /** For people: what is wrong, and what to do. */
  readonly message: string;
}

/** What comes with the message of a request that is refused as a whole. */
export type RefusalData = Pick<ToolError, 'code'>;

export type StoreAccess = 'own' | 'foreign' | 'untrusted' | 'read-only';

export interface FolderState {
  readonly folder: Uri;
  /** The folder that code paths are relative to, as a path; null with the home store. */
  readonly root: string | null;
  readonly store: {
    /** Absolute; where it would be made when it is not there. */
    readonly path: string;
    readonly exists: boolean;
    /** `named` by a person, or by a `setting` of the workspace. */
    readonly kind: 'named' | 'setting' | 'project' | 'home';
    /**
     * `foreign`: the store was not made on this machine and not accepted, so it is read-only. `untrusted`: the
     * workspace is not trusted. Null without a store, or for one that cannot be used.
     */
    readonly access: StoreAccess | null;
    /** Shared memories of the folder: `not read` without a store, `foreign` until a person accepts them; null without any. */
    readonly shared: 'own' | 'foreign' | 'not read' | null;
  };
  /** `exists`: there is one, and it can be used. */
  readonly graph: { readonly path: string; readonly exists: boolean } | null;
  readonly namespace: string;
  /** How many the store has. */
  readonly namespaces: number;
  /** The session that the editor has open in this namespace; `named` unless a write has opened it by itself. */
  readonly session: { readonly id: string; readonly name: string; readonly named: boolean } | null;
  /** Whether anything is remembered in it: what was closed, forgotten or only proposed is not. */
  readonly remembers: boolean;
  /** Memories of this namespace whose code changed or is gone. */
  readonly stale: number;
  /** Those about nothing but whole files, which changed: nobody is called for them. */
  readonly stale_files: number;
  /** Memories of this namespace that wait until a person keeps them. */
  readonly proposed: number;
  /** Pairs of memories that took the place of the same one. */
  readonly forks: number;
  /** What agents store now waits until a person keeps it. */
  readonly agents_wait: boolean;
  /** Files of shared memories from which nothing is known, at most twenty. */
  readonly unread: readonly UnreadFile[];
  /** Why the store cannot be used; null when it can. */
  readonly problem: string | null;
  /** What became of a store that was lost or damaged, so that a backup can bring it back; null where none was. */
  readonly lost: string | null;
}

export interface UnreadFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** A sentence without its end. */
  readonly reason: string;
}

/** A file with memories in doubt, other than those on the whole of it. */
export interface FileDecoration {
  readonly uri: Uri;
  /** Distinct memories by the worst that became of their code in this file. */
  readonly changed: number;
  readonly gone: number;
  /** What changed, a sentence for each symbol, at most ten. */
  readonly changes: readonly string[];
}

/** A line of a document that is open in the window. */
export interface SymbolAtParams {
  readonly file: Uri;
  /** From 1. */
  readonly line: number;
}

/** `symbol`: the qualified name of the innermost one; null outside of all. Not read: no language that we know. */
export type SymbolAtResult = { readonly read: true; readonly symbol: string | null } | { readonly read: false };

/** What stands at the end of a line of code. */
export interface LineDecision {
  /** `Decided: a body is one string` */
  readonly text: string;
}

export interface IndexFilesParams {
  readonly files: readonly Uri[];
}

export interface RecallPreviewParams extends InFolder {
  readonly query: string;
  readonly budgetTokens: number;
  /** Further parameters of memory_recall: kinds, as_of, hops, min_confidence. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Without what the team would say. */
  readonly alone?: true;
}

/** Exactly what an agent would get, but without counting the memories as used. */
export type RecallPreviewResult =
  | {
      readonly ok: true;
      readonly text: string;
      readonly value: RecalledMemories;
      /** Size of the text. */
      readonly tokens: number;
      readonly milliseconds: number;
    }
  | { readonly ok: false; readonly error: ToolError };

/** What a person should know of a store before accepting it. */
export interface StoreAccount {
  /** Absolute. */
  readonly path: string;
  /** It needs no acceptance. */
  readonly known: boolean;
  readonly memories: number;
  /** The programs that wrote it, as they called themselves. */
  readonly writers: readonly string[];
  /** When its first and its last memory was recorded. */
  readonly from: string | null;
  readonly to: string | null;
  /** Those in files of the folder. */
  readonly shared: { readonly known: boolean; readonly memories: number };
}

/** `accept` is a person's word, and never said for one. */
export interface TrustStoreParams {
  readonly folder: Uri;
  readonly action: 'look' | 'accept';
}

export type TrustStoreResult =
  | { readonly ok: true; readonly account: StoreAccount }
  | { readonly ok: false; readonly error: ToolError };

/** That documents of the folder's project may go to a provider from now on: a person's word, and never said for one. */
export interface RememberConsentParams {
  readonly folder: Uri;
  readonly provider: string;
  /** Host name of the server, as the question showed it. */
  readonly host: string;
}

export type RememberConsentResult = { readonly ok: true } | { readonly ok: false; readonly error: ToolError };

export interface Changed {
  readonly folder: Uri;
  /**
   * `review`: what became of code that memories are about was judged again, with another result. `team`: somebody else
   * changed the memory of the team, or it is reached in another way.
   */
  readonly what: readonly ('memory' | 'graph' | 'review' | 'team')[];
}

/** Arguments of the command `agentMemory.showSymbolMemories`, which a CodeLens runs. */
export interface SymbolMemoriesArguments {
  readonly folder: Uri;
  readonly file: Uri;
  /** Qualified. */
  readonly symbol: string;
  readonly nodeIds: readonly string[];
  /** Those about the whole file, which are shown apart. */
  readonly ofFile?: readonly string[];
  /** Those of all of them of whose code this branch has another version; missing where there are none. */
  readonly ofOtherVersion?: readonly string[];
}

/** The argument of the commands in a hover. */
export interface MemoryArgument {
  readonly folder: Uri;
  readonly namespace: string;
  readonly nodeId: string;
}

/** The same for several memories, in quick fixes. */
export interface MemoriesArgument extends Omit<MemoryArgument, 'nodeId'> {
  readonly nodeIds: readonly string[];
}

/** What may differ from folder to folder. */
export interface FolderSettings {
  /** The editor's namespace there; `default` where it is missing. */
  readonly namespace?: string;
  /** The first write makes `.svc/memory.db` in a folder without a store; otherwise the home store is used. */
  readonly autoInit?: boolean;
  /** As SVC_MEMORY_DB; relative to the folder. */
  readonly storePath?: string;
  /** The settings of the workspace name it. They came with it, so it is no person's word that the store may be used. */
  readonly storePathOfWorkspace?: boolean;
}

/** The settings of workspace/didChangeConfiguration. */
export interface ServerSettings {
  readonly folders?: Readonly<Record<Uri, FolderSettings>>;
  /** False while the workspace is not trusted: nothing is written. */
  readonly trusted?: boolean;
  /** What becomes of what agents store; as SVC_KEEP. */
  readonly keep?: string;
  readonly codeLens?: { readonly enabled?: boolean; readonly kinds?: readonly string[] };
  readonly hover?: { readonly enabled?: boolean; readonly kinds?: readonly string[] };
  readonly diagnostics?: { readonly enabled?: boolean };
}

/** Sent as initializationOptions. */
export interface Initialization extends ServerSettings {
  /** `vscode.l10n.bundle`: English texts, and what they are in the language of the editor. Without it they stay English. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Hovers stand behind those of the languages. Without it they stand where the client puts them. */
  readonly hoverLast?: boolean;
  /** The window offers lenses itself, with `textDocument/codeLens`, and is told by `svc/lensesChanged` when they change. */
  readonly ownLenses?: boolean;
}

export interface OperationsOfParams {
  readonly folder: Uri;
  /** The number of its process. */
  readonly pid: number;
  /** When it was started, in ISO-8601 in UTC. */
  readonly since: string;
}

export interface OperationOf {
  readonly namespace: string;
  /** As the tool `undo` takes it. */
  readonly operation: number;
}

export interface LastChangesParams extends InFolder {
  /** The last one of this window that stands; missing where it knows of none. */
  readonly own?: number | undefined;
}

/** A change that can be taken back. */
export interface LastChange {
  /** As the tool `undo` takes it. */
  readonly operation: number;
  readonly at: string;
  /** The host of the agent, or the program, that did it. */
  readonly client: string;
  readonly did: HistoryEvent['action'];
  /** What one of its memories says: stored text. */
  readonly content: string;
  /** How many it stored or changed. */
  readonly memories: number;
}

export interface LastChanges {
  /** The last one of the window; where it knows of none, of the editor on this machine. Null, too, where that cannot be undone. */
  readonly own: LastChange | null;
  /** What somebody else did after that, the newest first; a few of it. */
  readonly newer: readonly LastChange[];
}

export interface Requests {
  'svc/callTool': { readonly params: CallToolParams; readonly result: CallToolResult };
  'svc/folderState': { readonly params: InFolder; readonly result: FolderState };
  /** The team whose memory is asked, too; null where none is. Nobody is asked for it. */
  'svc/team': { readonly params: InFolder; readonly result: TeamNote | null };
  /** What a program of this window did to the store and can be taken back, in its order. */
  'svc/operationsOf': { readonly params: OperationsOfParams; readonly result: readonly OperationOf[] };
  /** What a person may mean by the last change of a namespace. */
  'svc/lastChanges': { readonly params: LastChangesParams; readonly result: LastChanges };
  'svc/decorations': { readonly params: InFolder; readonly result: readonly FileDecoration[] };
  'svc/symbolAt': { readonly params: SymbolAtParams; readonly result: SymbolAtResult };
  'svc/lineDecision': { readonly params: SymbolAtParams; readonly result: LineDecision | null };
  'svc/indexFile': { readonly params: IndexFilesParams; readonly result: null };
  'svc/recallPreview': { readonly params: RecallPreviewParams; readonly result: RecallPreviewResult };
  'svc/trustStore': { readonly params: TrustStoreParams; readonly result: TrustStoreResult };
  'svc/rememberConsent': { readonly params: RememberConsentParams; readonly result: RememberConsentResult };
}

export interface Notifications {
  'svc/changed': Changed;
  'svc/lensesChanged': null;
}

/** What the server asks the window. */
export interface WindowRequests {
  /** The token that a person gave for the memory of a team. */
  'svc/teamToken': { readonly params: { readonly address: string }; readonly result: string | null };
}

/** What the window tells the server, beside LSP. */
export interface WindowNotifications {
  /** A person has given a token for the memory of a team, or agreed to ask it. */
  'svc/teamsChanged': null;
}
