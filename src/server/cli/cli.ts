import type { Log } from '../base/log';
import type { LlmEnvironment } from '../llm/environment';
import type { Surroundings } from '../project/locate';
import type { OpenProject } from '../project/open';
import type { Output } from './output';

/** What `main/` hands to the command line: the process, and nothing of it is read elsewhere. */
export interface Cli {
  readonly around: Surroundings;
  readonly version: string;
  /** SVC_NAMESPACE */
  readonly namespace: string | undefined;
  /** Its client name marks the sessions of the command line: by it, the next command finds them again. */
  readonly holder: OpenProject['holder'];
  readonly tokenizer: OpenProject['tokenizer'];
  readonly output: Output;
  readonly log: Log;
  readonly stdin: () => Promise<Buffer>;
  /** Asks the person at the terminal for a line; undefined where nobody sits there. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** What the providers of language models need of the environment. */
  readonly llm: LlmEnvironment;
  /** Ctrl-C */
  readonly signal: AbortSignal;
  /** The folder of the built programs. */
  readonly programs: string;
  /** The Node that runs them. */
  readonly node: string;
  /** The folders of PATH. */
  readonly searchPath: readonly string[];
}

/** The options that every command takes. */
export interface GlobalOptions {
  readonly namespace?: string | undefined;
  readonly session?: string | undefined;
}

/** How a command ended. Wrong usage is 2, which commander tells, and where 1 says something else, so is failing. */
export type ExitStatus = 0 | 1 | 2;
