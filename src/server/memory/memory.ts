/** The handle that every function of the memory takes first. */
import type { Clock } from '../base/clock';
import type { IdSource } from '../base/ids';
import type { Reader, Writer } from '../db/sql';
import type { CodeIndex } from './code/touches';
import type { SharedMemories } from './marks';
import type { Keeping } from './origins';
import type { DocumentIndex } from './recall/through-documents';
import type { Vocabulary } from './recall/vocabulary';
import type { Weights } from './recall/weights';

/** Who writes: kept with what it stores, so that people see who it was, and with the sessions that it holds. */
export interface Holder {
  /** Who answers for it, by row number; null in a store of one person. */
  readonly principal: number | null;
  readonly pid: number;
  readonly host: string;
  readonly client: string;
  /** A person at the editor, or at a terminal that no agent started; else it is an agent, or a program. */
  readonly by: 'agent' | 'person';
  /** How long a session is its own after a write or a renewal, in milliseconds. */
  readonly leaseMs: number;
  /** It may take back what others did; false or missing for one who writes for herself alone. */
  readonly undoesOthers?: boolean;
}

/** docs/behaviour.md, "Process state". A writing tool works on a copy that is kept on success. */
export interface Scope {
  namespace: string;
  /** The session that this process has open in its namespace. */
  session: { readonly seq: number; readonly id: string } | undefined;
  /** The session that this process has ended, while it has stored nothing since. */
  ended?: { readonly id: string; readonly at: string } | undefined;
}

/** The handle that every function of the domain takes first. */
export interface Memory<Sql extends Reader = Reader> {
  readonly sql: Sql;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly newSuffix: IdSource;
  readonly holder: () => Holder;
  readonly keeping: () => Keeping;
  readonly code: CodeIndex;
  readonly vocabulary: Vocabulary;
  /** Of the ranking, in place of the program's own: the benchmark chooses by them. */
  readonly weights?: Weights;
  /** Undefined where no documents can be bound to code. */
  readonly documents?: DocumentIndex | undefined;
  /** The store was not made here, and nobody accepted it: what is read from it is marked. */
  readonly foreign: boolean;
  /** Those that are read together with the store. */
  readonly shared: SharedMemories;
}

/** The tool call that a transaction belongs to. */
export interface ToolCall {
  readonly tool: string;
  /** By namespace, the number under which the history keeps what this call does; opened by the first change. */
  readonly operations: Map<number, number>;
}

/** The handle inside a writing transaction. */
export interface WritableMemory extends Memory<Writer> {
  readonly call: ToolCall;
}

/**
 * Runs `work` in one transaction.
 * @param tool on whose behalf, for the history
 * @param noted gets the number that takes back all of it, once it is written; not called for what cannot be taken back
 */
export type Write = <Result>(
  work: (memory: WritableMemory) => Promise<Result>,
  tool?: string,
  noted?: (operation: number) => void,
) => Promise<Result>;
