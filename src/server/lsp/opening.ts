/** How the folders of a window are opened. */
import type { Surroundings } from '../../store-place/locate';
import type { OpenProject } from '../project/open';
import type { ConnectTeam } from '../project/team-memory';

/** What `main/` hands in: how this process opens projects. */
export interface Opening extends Pick<OpenProject, 'holder' | 'log' | 'tokenizer' | 'git'> {
  readonly around: Omit<Surroundings, 'cwd'>;
  /** The folder of the built programs. */
  readonly assets: string;
  /** Asks the memory of a team, with a token that the window gives. */
  readonly connectTeam: ConnectTeam;
}

/** Where a window opens a project otherwise than a server for agents. */
export const OF_A_WINDOW = {
  // A person waits longer than an agent for what became of the code: as on the command line.
  doubtsWaitMs: 3_000,
  // Some questions follow each key of a person, and each of them would start Git several times. The editor tells of
  // most that changes in `.git`; the rest is seen after this time.
  pastKeptMs: 3_000,
} as const;
