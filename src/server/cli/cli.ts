/** What `main/` hands to the command line. */

import type { Surroundings } from '../../store-place/locate';
import type { SvcError } from '../base/errors';
import type { Log } from '../base/log';
import type { GitHost } from '../git/run-git';
import type { LlmEnvironment } from '../llm/environment';
import type { OpenProject } from '../project/open';
import type { ConnectTeam } from '../project/team-memory';
import type { GithubRun } from './github-comment';
import type { Output } from './output';

/** What `main/` hands to the command line: the process, and nothing of it is read elsewhere. */
export interface Cli {
  readonly around: Surroundings;
  readonly version: string;
  /** Why no store can be opened on this machine; undefined where one can. */
  readonly missing: () => Promise<SvcError | undefined>;
  /** SVC_NAMESPACE */
  readonly namespace: string | undefined;
  /** Its client name marks the sessions of the command line: by it, the next command finds them again. */
  readonly holder: OpenProject['holder'];
  /** SVC_KEEP */
  readonly keep: string | undefined;
  readonly tokenizer: OpenProject['tokenizer'];
  readonly output: Output;
  readonly log: Log;
  /** All of standard input; undefined when it is more than `max` bytes. */
  readonly stdin: (max: number) => Promise<Buffer | undefined>;
  /** The commands of an agent are no word of a person. */
  readonly startedByAgent: boolean;
  /** Asks the person at the terminal for a line; undefined without a terminal. */
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
  readonly git: GitHost;
  readonly connectTeam: ConnectTeam;
  /** What a run of GitHub says of itself. */
  readonly github: GithubRun;
  readonly foreignLimitMs: number;
  /** Threads that outlive the command, where a process runs many of them. */
  readonly threads?: NonNullable<OpenProject['threads']>;
}

/** The options that every command takes. */
export interface GlobalOptions {
  readonly namespace?: string | undefined;
  readonly session?: string | undefined;
}

/** How a command ended. 2 is wrong usage, which commander reports. Commands with a meaning for 1 fail with 2, too. */
export type ExitStatus = 0 | 1 | 2;
