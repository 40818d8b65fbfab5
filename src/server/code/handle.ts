/** What is known of one folder's memories and code, and how links between them are written. */
import type { SvcError } from '../base/errors';
import type { Store } from '../db/store';
import type { GitHost } from '../git/run-git';
import type { Extractor } from '../graph/open-extractor';
import type { Memory, Write } from '../memory/memory';
import type { PastOfProject } from './past-symbols';

/** The graph of a root as it is at this moment: it may be built, rebuilt or deleted while the process runs. */
export interface CodeGraph {
  readonly root: string;
  /** The graph; undefined while none has been built, or when what is there cannot be read. */
  current(): Promise<Store | undefined>;
  /** Why what is there cannot be used, as current() found. */
  problem(): SvcError | undefined;
  close(): Promise<void>;
}

export interface CodeHandle {
  readonly memory: Memory;
  /** The code graph; undefined where code has no root. */
  readonly graph: CodeGraph | undefined;
  /** Takes sources apart. Undefined where the grammars are not at hand. */
  readonly extractor: Extractor | undefined;
  /** What Git knows of linked symbols; undefined where code has no root, or the grammars are not at hand. */
  readonly past: PastOfProject | undefined;
  /** How Git is started here; undefined where it is not to be. */
  readonly git: GitHost | undefined;
  /** Runs `work` in one transaction, on a copy of the process's scope that is kept when it succeeds. */
  readonly write: Write;
}
