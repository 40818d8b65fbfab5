/** Types of the tools' answers that the editor shows. */
import type { MemoryKind, NodeKind } from '../kinds/kinds';
import type { Doubtful, Verdict } from './requests';
import type { TeamNote } from './team-note';

/** What the tools answer that the editor shows. Types only; the tools themselves check what they give out. */

/**
 * What a reader has to know of a memory before believing it. `foreign`: it came with a folder that nobody accepted.
 * `shared`: it stands in a file of the repository. `proposed`: it waits for a person. `code …`: the code that it is about is
 * not as it was, or not that of this branch. `clock ahead`: its clock was. `older`: the same answer holds a newer one like it.
 */
export type Mark = 'foreign' | 'shared' | 'team' | 'proposed' | MarkOfCode | 'clock ahead' | 'older';
type MarkOfCode = 'code changed' | 'code gone' | 'code of another branch';

/** `confirmed`: stored or confirmed by a person. `proposed`: it waits for a person. */
export type Standing = 'stored' | 'confirmed' | 'proposed';

/** Where a memory comes from. */
export interface Origin {
  readonly kind: 'agent' | 'person' | 'import' | 'document';
  /** The client, the file or the document; empty where nobody kept it. */
  readonly name: string;
  readonly hash: string | null;
  /** Id of the store that it was first stored in; null for this one. */
  readonly store: string | null;
  /** The agent had read foreign text before it stored this. */
  readonly marked: boolean;
}

/** Of `team`. */
export interface TeamList extends Omit<TeamNote, 'address'> {
  /** Null where the project names no team, or nobody has agreed to ask it. */
  readonly address: string | null;
  /** Newest first; their ids begin with `t:`. */
  readonly items: readonly (NodeSummary & { readonly by: string })[];
}

/** Of `nodes`, and part of `node`. */
export interface NodeSummary {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  /** 0.0 to 1.0 */
  readonly confidence: number;
  /** Times are ISO-8601 in UTC. */
  readonly recorded_at: string;
  readonly valid_from: string;
  /** null while open. */
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
  readonly standing: Standing;
  readonly session_id: string | null;
  /** Missing where there is nothing to say. */
  readonly marks?: readonly Mark[] | undefined;
}

/**
 * Why a memory was found: by words of the question, by an entity that it names, beside another memory, through a document,
 * by a date; or why it stands before another one, which it makes older. What follows is the entity's name, or an id. In a
 * briefing: the outcome of the session that ended last, or of another one; a standing memory that a person has confirmed, or not.
 */
export type Reason =
  | 'words'
  | `entity ${string}`
  | `neighbour of ${string}`
  | 'document'
  | 'date'
  | `newer than ${string}`
  | 'last session'
  | 'recent session'
  | 'confirmed'
  | 'standing';

/** A memory that a recall has room for. */
export interface RecalledMemory extends Pick<NodeSummary, 'id' | 'kind' | 'content' | 'confidence' | 'valid_from'> {
  readonly session_id: string | null;
  readonly marks?: readonly Mark[] | undefined;
  /** The id of the one that makes it `older`. */
  readonly newer?: string | undefined;
  /** Missing where memories are listed. */
  readonly reasons?: readonly Reason[];
  /** Size of its line, in tokens. */
  readonly tokens: number;
  /** The start of its content, where the budget has no room for all of it. */
  readonly cut?: string;
  /** It is the team's alone: `node` knows it by its id behind `t:`. */
  readonly elsewhere?: true;
}

/** Of `memory_recall`: what stands in the text that an agent gets. */
export interface RecalledMemories {
  /** In tokens. */
  readonly budget: number;
  /** Size of the whole text, in tokens. */
  readonly used: number;
  /** The sentence in place of items, where there are none. */
  readonly note?: string;
  /** Best first; the text has them kind by kind. */
  readonly items: readonly RecalledMemory[];
}

/** Of `memory_why`: what the editor reads of it; none where no decision matches. */
export interface ExplainedDecisions {
  readonly items: readonly (Pick<NodeDetails, 'id' | 'supersedes'> & { readonly outcomes: readonly NodeReference[] })[];
}

export interface NodeReference {
  readonly id: string;
  readonly content: string;
}

/** An open memory that says nearly the same as another. */
export type NearMemory = NodeReference & Pick<NodeSummary, 'marks'>;

/** Of `node`. */
export interface NodeDetails extends NodeSummary {
  readonly namespace: string;
  /** null for an entity or a session. */
  readonly origin: Origin | null;
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  readonly entities: readonly NodeReference[];
  readonly supersedes: readonly NodeReference[];
  readonly superseded_by: readonly NodeReference[];
  /** Of `node`: it is shared, and its file is not here. */
  readonly away?: true | undefined;
  /** The path of its file, which is there and cannot be read. */
  readonly unread?: string | undefined;
  /** Of `node`: names that have a path and mean no code. */
  readonly unresolved?: readonly Unresolved[] | undefined;
}

/** A name that means no code, and what comes nearest. */
export interface Unresolved {
  readonly name: string;
  readonly nearest: readonly string[];
}

/** Of `entities`. */
export interface ListedEntity extends NodeReference {
  readonly aliases: readonly string[];
  readonly degree: number;
}

/** Of `namespaces`. */
export interface NamespaceCounts {
  readonly name: string;
  readonly memories: number;
  readonly entities: number;
  readonly sessions: number;
  readonly active: boolean;
  readonly marks?: readonly Mark[] | undefined;
}

/** Of `memory_for_code`: what the editor reads of it. */
export interface CodeMemories {
  /** In order of lines; the innermost of those around a line comes last. */
  readonly symbols: readonly {
    readonly code_type: string;
    readonly name: string;
    readonly memories: readonly MemoryOnCode[];
  }[];
}

export interface MemoryOnCode
  extends Pick<NodeSummary, 'id' | 'kind' | 'content' | 'confidence' | 'valid_from' | 'standing' | 'marks'> {
  readonly verdict: Verdict;
}

/** Of `memory_to_code`. */
export interface CodeLocation {
  readonly graph_node_id: string;
  /** Relative to the root of the folder's store. */
  readonly file_path: string;
  /** From 1. */
  readonly start_line: number;
  readonly end_line: number;
  readonly code_type: string;
}

/** Of `history`; oldest first. */
export interface NodeHistory {
  readonly node_id: string;
  readonly events: readonly {
    readonly at: string;
    readonly action: string;
    /** What `undo` takes; null for what cannot be undone. */
    readonly operation: number | null;
    /** The operation that took it back. */
    readonly undone_by: number | null;
  }[];
}

/** A memory that waits for a person, because the code it is about is no longer what or where it was. */
export interface ReviewEntry {
  /** Number of the entry. */
  readonly id: number;
  readonly namespace: string;
  readonly node: NodeSummary;
  readonly reason: 'stale' | 'missing';
  readonly verdict: Doubtful;
  readonly queued_at: string;
  readonly was: { readonly file_path: string; readonly code_type: string; readonly name: string };
  readonly linked_at: string;
  /** Where it stands now; null when it is gone. */
  readonly now: {
    readonly file_path: string;
    readonly code_type: string;
    readonly name: string;
    readonly start_line: number;
    readonly end_line: number;
  } | null;
  /** What changed, in a sentence. */
  readonly change: string;
}

/** Of `review`. */
export interface Review {
  readonly entries: readonly ReviewEntry[];
  readonly proposals: readonly Proposal[];
  readonly sources: readonly ProposalSource[];
  /** Pairs that took the place of the same memory. */
  readonly forks: readonly Omit<NearDuplicatePair, 'similarity'>[];
  readonly near_duplicates: readonly NearDuplicatePair[];
  /** Pairs that say nearly the same, which no consolidation closes. */
  readonly near: readonly NearDuplicatePair[];
  /** Whether there is more than was asked for. */
  readonly more: boolean;
}

/** A memory that waits until a person keeps it. */
export interface Proposal {
  readonly namespace: string;
  readonly node: NodeSummary & { readonly kind: MemoryKind };
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  readonly entities: readonly string[];
  /** Ids of the open memories that it takes the place of once it is kept. */
  readonly replaces: readonly string[];
  /** Open memories that say nearly the same; missing where there are none. */
  readonly near?: readonly NearMemory[] | undefined;
  /** Number of its source. */
  readonly source: number;
  readonly origin: Origin | null;
}

/** Where proposals come from; by its number all that wait of it are kept or dropped. */
export interface ProposalSource {
  readonly namespace: string;
  readonly source: number;
  readonly origin: Origin | null;
  readonly waiting: number;
}

/** One of two memories that are held against each other. */
export interface PairedMemory extends NodeReference {
  readonly valid_from: string;
  /** Of two that were rewritten in two ways and say the same: why it is so, and what was rejected. */
  readonly reasons?: readonly string[];
}

/** Two memories that say almost the same. */
export interface NearDuplicatePair {
  readonly namespace: string;
  readonly kind: MemoryKind;
  /** 0.6 to 1; of near-duplicates from 0.9. */
  readonly similarity: number;
  readonly newer: PairedMemory;
  readonly older: PairedMemory;
}

/** Of `sessions`. */
export interface HeldSession
  extends Pick<NodeSummary, 'id' | 'content' | 'recorded_at' | 'valid_until' | 'tombstoned'> {
  readonly node_count: number;
  readonly namespace: string;
  /** The one that the asking process writes to. */
  readonly current: boolean;
  readonly last_write_at: string | null;
  /** Who opened it; `alive` while it is open and still belongs to it. */
  readonly holder: {
    readonly pid: number;
    readonly host: string;
    readonly client: string;
    readonly alive: boolean;
  } | null;
  /** What it was about, where nobody named it. */
  readonly topic: string | null;
  /** Who wrote it, where that is known. */
  readonly origin: Origin | null;
  /** Memories in it that are valid now. */
  readonly valid: number;
  /** Those of them that pass the filter; null without one. */
  readonly matching: number | null;
}

/** Of `groups`: a kind; or the path of a file, empty for memories on no code. */
export interface MemoryGroup {
  readonly name: string;
  readonly memories: number;
  /** The file is not in the working tree. */
  readonly missing?: true;
}

/** Of `compare`: the code of a memory, then and now. */
export interface Comparison {
  readonly node: NodeSummary & { readonly rationale: string | null; readonly alternatives_rejected: readonly string[] };
  /** Worst first: those in doubt, or all where none is. */
  readonly symbols: readonly ComparedSymbol[];
}

export interface ComparedSymbol {
  readonly verdict: Verdict;
  readonly was: SymbolPlace;
  readonly linked_at: string;
  /** The one that has the text then; null for a copy. */
  readonly commit: string | null;
  readonly now: (SymbolPlace & { readonly start_line: number; readonly end_line: number }) | null;
  /** Null where nobody knows it any more. */
  readonly text_then: string | null;
  readonly text_now: string | null;
}

export interface SymbolPlace {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
}
