/** Types of the messages between the Memory explorer and the extension. */
import type { MemoryKind, StructuralKind } from '../kinds/kinds';
import type { ExplorerTexts } from './explorer-texts';
import type { StoreAccess, Uri, Verdict } from './requests';
import type {
  ListedEntity,
  Mark,
  NearMemory,
  NodeDetails,
  NodeReference,
  NodeSummary,
  Origin,
  RecalledMemories,
} from './tool-values';

/** What the Memory explorer (a webview) and the extension say to each other. Types only. */

export type { ExplorerTexts } from './explorer-texts';
export type { Uri, Verdict } from './requests';
export type { ListedEntity, NodeReference, NodeSummary, Origin, RecalledMemories, Unresolved } from './tool-values';

export type View = 'search' | 'timeline' | 'graph' | 'audit' | 'memory';

/** Where a person is. `id` is the node of a page, or what a graph is drawn around. */
export interface Place {
  readonly view: View;
  readonly id?: string;
}

export interface ExplorerFolder {
  readonly uri: Uri;
  readonly name: string;
}

export interface ChainLink extends NodeReference {
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
}

/** Relative to the root of the folder's store; lines from 1. */
export interface CodePlace {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
}

export interface TouchedCode {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
  /** null where no code can be looked at. */
  readonly verdict: Verdict | null;
  /** Where it stands now; null when it is gone. */
  readonly now: (CodePlace & { readonly name: string }) | null;
}

export interface SharedFile {
  /** Relative to the root of the folder's store. */
  readonly path: string;
  /** null where Git was not asked, or has not said. */
  readonly committed: boolean | null;
  /** The commit that changed it last. */
  readonly last: { readonly id: string; readonly author: string; readonly at: string } | null;
}

/** Of `node`. */
export interface NodePage extends NodeDetails {
  readonly aliases: readonly string[];
  /** What it would close if it were kept: it waits. */
  readonly replaces: readonly NodeReference[];
  /** Open ones that say nearly the same; missing where there are none. */
  readonly near?: readonly NearMemory[] | undefined;
  /** What was stored in a session. */
  readonly nodes: readonly NodeSummary[];
  readonly chain: readonly ChainLink[];
  readonly session:
    | (NodeReference & {
        /** What it was about, where nobody named it. */
        readonly topic: string | null;
        readonly valid_until: string | null;
        readonly holder: { readonly pid: number; readonly host: string; readonly client: string } | null;
      })
    | null;
  readonly code: readonly TouchedCode[];
  /** Where a shared memory stands. */
  readonly file?: SharedFile | undefined;
}

export interface ChronicleEntry extends NodeSummary {
  readonly kind: MemoryKind;
  readonly superseded_by: string | null;
}

export interface ChronicleBucket {
  /** 0 for the stretch that begins at `from`. */
  readonly index: number;
  readonly kind: MemoryKind;
  readonly count: number;
  readonly closed: number;
}

/** Of `chronicle`. */
export interface Chronicle {
  readonly first: string | null;
  readonly last: string | null;
  readonly total: number;
  readonly within: number;
  readonly buckets: readonly ChronicleBucket[];
  readonly entries: readonly ChronicleEntry[];
  readonly more: boolean;
  readonly nearest: readonly string[];
}

/** Of `graph`. */
export interface GraphNode {
  /** The id of a node; `path#type:name` of a symbol. */
  readonly key: string;
  readonly type: 'memory' | StructuralKind | 'symbol';
  /** Its kind, or the symbol's type. */
  readonly kind: string;
  readonly label: string;
  readonly marks?: readonly Mark[] | undefined;
  /** Steps from the middle. */
  readonly hops: number;
  /** Edges that it has in all, drawn or not. */
  readonly degree: number;
  readonly state: {
    readonly confidence: number;
    readonly valid_from: string;
    readonly valid_until: string | null;
    readonly tombstoned: 0 | 1;
  } | null;
  readonly code: {
    readonly file_path: string;
    readonly name: string;
    readonly verdict: Verdict;
    readonly start_line: number | null;
    readonly end_line: number | null;
  } | null;
}

export interface GraphEdge {
  readonly type: 'ABOUT' | 'SUPERSEDES' | 'OCCURRED_IN' | 'TOUCHES';
  /** Keys. */
  readonly from: string;
  readonly to: string;
}

export interface Neighbourhood {
  readonly roots: readonly string[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Whether there is more around it than the limit lets in. */
  readonly truncated: boolean;
  /** Entity names like the one asked for, when nothing is found. */
  readonly nearest: readonly string[];
}

export interface NodeState {
  readonly confidence: number;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
}

/** A memory in an audit. */
export type AuditedMemory = NodeSummary & { readonly kind: MemoryKind; readonly origin: Origin | null };

/** Why a memory reads like an instruction to an agent. */
export type Suspicion = 'overrides' | 'hides' | 'sends' | 'runs' | 'credentials';

/** Of `audit`. */
export interface Audit {
  /** Most memories first. */
  readonly sources: readonly {
    readonly origin: Origin | null;
    readonly memories: number;
    readonly open: number;
    readonly confirmed: number;
    readonly proposed: number;
    readonly first: string;
    readonly last: string;
  }[];
  /** Many memories of one source within an hour. */
  readonly bursts: readonly { readonly origin: Origin | null; readonly from: string; readonly memories: number }[];
  readonly suspicious: readonly { readonly node: AuditedMemory; readonly why: readonly Suspicion[] }[];
  /** Decisions that no person has confirmed: the newest, and how many there are. */
  readonly unseen_decisions: readonly AuditedMemory[];
  readonly unseen_count: number;
  readonly more: boolean;
}

/** Of `history`. */
export interface HistoryEvent {
  readonly at: string;
  readonly action:
    | 'store'
    | 'confirm'
    | 'refute'
    | 'forget'
    | 'supersede'
    | 'end'
    | 'dismiss'
    | 'keep'
    | 'accept'
    | 'fill'
    | 'link'
    | 'restore'
    | 'share'
    | 'undo'
    | 'redo'
    | 'anchor'
    | 'commit'
    | 'replace';
  /** What was undone or done again, where it is known. */
  readonly of: HistoryEvent['action'] | null;
  /** What `undo` takes; null for what cannot be undone. */
  readonly operation: number | null;
  readonly undone_by: number | null;
  readonly client: string | null;
  readonly before: NodeState | null;
  readonly after: NodeState | null;
  readonly moved: { readonly from: string; readonly to: string; readonly why: string } | null;
  /** For `commit`: which one changed the file of a shared memory, and by whom. */
  readonly commit?: { readonly id: string; readonly author: string } | undefined;
}

/** The tools that the explorer may call, and what they answer: the extension calls no other one for it. */
export interface ExplorerTools {
  readonly node: NodePage;
  readonly chronicle: Chronicle;
  readonly entities: readonly ListedEntity[];
  readonly memory_verify: { readonly confidence: number; readonly status: 'confirmed' | 'refuted' };
  /** `path`: the file of a memory that is shared. */
  readonly memory_store: { readonly node_id: string; readonly path?: string };
  /** `stored`: what an edited proposal became. */
  readonly settle: { readonly operation: number; readonly stored?: string };
  readonly graph: Neighbourhood;
  readonly audit: Audit;
  readonly history: { readonly events: readonly HistoryEvent[] };
  readonly undo: { readonly operation: number; readonly node_ids: readonly string[] };
  /** `path`: its file, which is there again. `unshared`: it is in the store alone, and had a file. */
  readonly restore: { readonly operation: number | null; readonly path?: string; readonly unshared?: string };
  readonly memory_forget: { readonly count: number; readonly ids: readonly string[] };
}

/** Exactly what an agent would get, and the same as a value. */
export interface Recalled {
  readonly text: string;
  readonly value: RecalledMemories;
  readonly milliseconds: number;
}

/** What the frame of the explorer shows of a folder. */
export interface ShownFolder {
  /** The one that the editor is in. */
  readonly activeNamespace: string;
  /** Those that hold anything, and the active one. */
  readonly namespaces: readonly string[];
  readonly storePath: string;
  readonly storeExists: boolean;
  /** Why the store cannot be used; null when it can. */
  readonly problem: string | null;
  /** What became of a store that a backup can bring back; null where none was lost. */
  readonly lost: string | null;
  /** Null where it is not known. A foreign store is marked as such, and only read. */
  readonly access: StoreAccess | null;
  /** False while the workspace is not trusted, when nothing is written or accepted. */
  readonly trusted: boolean;
  /** What is to be said of the team whose memory is asked, too; null where all is well, or there is none. */
  readonly teamLine: string | null;
}

/** Everything that can be asked for; each answer goes back under the number of its question. */
export interface Answers extends ExplorerTools {
  readonly recall: Recalled;
  readonly folder: ShownFolder;
}

export type Answer<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** What `undo` takes to take back what was done; null where nothing can be. */
      readonly operation: number | null;
    }
  /** For people: what is wrong and what to do. `code`: of the error, where the server refused. */
  | { readonly ok: false; readonly message: string; readonly code?: string };

export type FromExplorer =
  | { readonly type: 'ready' }
  | {
      readonly type: 'ask';
      readonly number: number;
      readonly what: keyof Answers;
      readonly folder: Uri;
      /** Empty for the one that the editor is in. */
      readonly namespace: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  /** Somebody wants to accept the store of the folder: what it is is shown first. */
  | { readonly type: 'accept'; readonly folder: Uri }
  /** Somebody wants to bring back the store of the folder from a backup. */
  | { readonly type: 'restore'; readonly folder: Uri }
  | { readonly type: 'openCode'; readonly folder: Uri; readonly place: CodePlace }
  | { readonly type: 'copy'; readonly text: string }
  /** A memory of the team is wanted elsewhere. */
  | {
      readonly type: 'take';
      readonly where: 'link' | 'chat';
      readonly folder: Uri;
      readonly namespace: string;
      readonly id: string;
    }
  /** What a tool answers an agent is wanted, as text. */
  | {
      readonly type: 'agentText';
      readonly tool: AgentTextTool;
      readonly folder: Uri;
      readonly namespace: string;
      readonly input: Readonly<Record<string, string>>;
    };

/** The tools whose answers people may read as an agent does. They only read. */
export type AgentTextTool = 'memory_why' | 'memory_timeline';

export type ToExplorer =
  | {
      readonly type: 'start';
      readonly texts: ExplorerTexts;
      /** A BCP 47 tag, for dates and numbers. */
      readonly language: string;
      readonly folders: readonly ExplorerFolder[];
    }
  | { readonly type: 'folders'; readonly folders: readonly ExplorerFolder[] }
  | { readonly type: 'answer'; readonly number: number; readonly answer: Answer<unknown> }
  /** The store, the code or the namespace of a folder changed: what is shown is asked for again. */
  | { readonly type: 'changed'; readonly folder: Uri }
  /** A person has come to the page by a command, and goes on with the keys there. */
  | { readonly type: 'focus' }
  | {
      readonly type: 'open';
      readonly folder: Uri;
      readonly namespace: string;
      readonly place: Place;
      /** The question of the search, or the topic of the timeline; what was there stays where it is missing. */
      readonly asked?: string;
      /** What led there keeps the keys. */
      readonly keepFocus?: boolean;
    };
