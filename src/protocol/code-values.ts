/** Types of the tools' answers about a line of code, or a change of it, that the editor shows. */
import type { MemoryKind } from '../kinds/kinds';
import type { Doubtful, Verdict } from './requests';
import type { NodeDetails, NodeSummary, SymbolPlace } from './tool-values';

/** Of `why_here`. */
export interface WhyHere {
  readonly file_path: string;
  readonly line: number;
  /** The function or class that the line is in, qualified. */
  readonly symbol: string | null;
  /** Null for what is not committed; `body` has what its message says below the subject, if anything. */
  readonly commit: {
    readonly id: string;
    readonly author: string;
    readonly date: string;
    readonly subject: string;
    readonly body: string;
  } | null;
  readonly memories: readonly ExplainedMemory[];
}

export interface ExplainedMemory
  extends Pick<NodeDetails, 'id' | 'kind' | 'content' | 'valid_from' | 'valid_until' | 'marks'>,
    Pick<NodeDetails, 'rationale' | 'alternatives_rejected' | 'superseded_by'> {
  /** On this code, on the whole file, of the time of the commit, or by its words. */
  readonly found: 'code' | 'file' | 'time' | 'words';
  /** Null where it is not on this code, or nobody has seen that it fits. */
  readonly verdict: Verdict | null;
  /** This code is as it was, and other code of the memory is in doubt. */
  readonly doubted_elsewhere: boolean;
}

/** Of `check`: the memories that a change touches. */
export interface DiffCheck {
  readonly base: string;
  readonly changed_files: number;
  /** Worst first. */
  readonly memories: readonly TouchedMemory[];
  /** Paths of changed files of which nothing can be told. */
  readonly not_judged: readonly string[];
}

export interface TouchedMemory extends Pick<NodeSummary, 'id' | 'content' | 'marks'> {
  readonly kind: MemoryKind;
  readonly verdict: Doubtful;
  readonly symbols: readonly { readonly was: SymbolPlace; readonly now: SymbolPlace | null }[];
}
