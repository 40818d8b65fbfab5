/** What readers are, and what they find. */
import type { GitHost } from '../git/run-git';
import type { Draft } from '../memory/transfer/draft';
import type { SourceName } from './source-names';

/** One file, folder or database, as it is now. */
export interface Source {
  /** As it is shown, and the name of the origin of its memories: the same at each run. */
  readonly name: string;
  /** Of what was read of it. */
  readonly hash: string;
  readonly drafts: readonly Draft[];
  /** What was not read, and why: each a sentence without its end. */
  readonly unread: readonly string[];
}

/** Where readers look. */
export interface Surroundings {
  /** The folder of the project. */
  readonly root: string;
  readonly home: string;
  readonly git: GitHost;
  readonly signal: AbortSignal;
}

/** One kind of source: docs/behaviour.md, "Bringing what is there". */
export interface SourceReader {
  readonly name: SourceName;
  /** The sources that are there, by their names. Costs no more than looking into folders. */
  readonly detect: (around: Surroundings) => Promise<readonly string[]> | readonly string[];
  /** @param name one that `detect` gave */
  readonly read: (around: Surroundings, name: string) => Promise<Source> | Source;
}
