/** Follows the memory of a folder's team while its project is open. */
import type { TeamNote } from '../../protocol/team-note';
import { timestamp } from '../base/clock';
import { failureOf } from '../base/team-error';
import { followTeam, type TeamState } from '../project/follow-team';
import type { Project } from '../project/open';
import type { KnownTeam, TeamMemory } from '../project/team-memory';
import { endRest } from '../tools/ask-team';

interface Followed {
  readonly team: KnownTeam;
  readonly stop: () => void;
}

/** What a person agreed to elsewhere is read again once a second. */
const READ_AGAIN_MS = 1_100;
/** Until a consent that was taken back elsewhere ends what listens, and until a question is asked once more. */
const LOOK_MS = 5_000;

/** Where questions are answered and changes are not told, as behind a proxy that passes only some, that is not tried all the time. */
const RESTART_AFTER_MS = 60_000;

export class TeamWatch {
  private followed: Followed | undefined;
  private state: TeamState = 'answers';
  private again: NodeJS.Timeout | undefined;
  private restartedAt = Number.NEGATIVE_INFINITY;
  private inVain: NodeJS.Timeout | undefined;
  private readonly looking = setInterval(() => this.lookAgain(), LOOK_MS).unref();

  constructor(
    private readonly project: Pick<Project, 'team'>,
    /** What is shown of the team is to be asked for again. */
    private readonly changed: () => void,
  ) {}

  /** Begins to follow the team that the project has now. */
  look(): void {
    const team = this.project.team();
    const before = this.followed;
    if (team === before?.team) return;
    this.leave();
    // Who looks may have asked for something else.
    if (before) this.changed();
    if (!team) return;
    const stop = followTeam(team, {
      changed: () => {
        endRest(team);
        team.copy.freshenSoon(team);
        this.changed();
      },
      state: (state) => {
        this.state = state;
        if (state === 'answers') endRest(team);
        this.changed();
      },
    });
    this.followed = { team, stop };
  }

  /** A question was not answered: where the server can be listened to, it is asked again soon. */
  askedInVain(): void {
    const { followed } = this;
    if (!followed || this.inVain) return;
    this.inVain = setTimeout(() => {
      this.inVain = undefined;
      if (this.followed !== followed || this.state !== 'answers') return;
      endRest(followed.team);
      this.changed();
    }, LOOK_MS).unref();
  }

  /** A question was answered: who was not let in has another token, which is good for listening, too. */
  answered(): void {
    const now = performance.now();
    if (this.state !== 'shut' || now - this.restartedAt < RESTART_AFTER_MS) return;
    this.restartedAt = now;
    this.askAgain();
  }

  private lookAgain(): void {
    const before = this.followed;
    this.look();
    if (!before && this.followed) this.changed();
  }

  /** A person has given another token, or agreed to another address. */
  askAgain(): void {
    const { followed } = this;
    this.leave();
    if (followed) endRest(followed.team);
    const lookNow = (): void => {
      this.look();
      this.changed();
    };
    lookNow();
    clearTimeout(this.again);
    this.again = setTimeout(lookNow, READ_AGAIN_MS).unref();
  }

  /** What is said to a person about it; null where no team is asked. It asks no server. */
  async note(): Promise<TeamNote | null> {
    this.look();
    const { followed, state } = this;
    if (!followed) return null;
    const { team } = followed;
    const at = state === 'silent' ? team.copy.at() : undefined;
    return {
      address: team.address,
      state,
      copy_at: at === undefined ? null : timestamp(at),
      ...(await team.waiting()),
    };
  }

  close(): void {
    clearInterval(this.looking);
    clearTimeout(this.again);
    clearTimeout(this.inVain);
    this.leave();
  }

  private leave(): void {
    this.followed?.stop();
    this.followed = undefined;
    this.state = 'answers';
  }
}

/** The same team: what watches it hears of each answer, and of each question that it leaves without one. */
export function watchedTeam(team: TeamMemory, watch: () => TeamWatch | undefined): TeamMemory {
  return {
    ...team,
    async call(...call) {
      try {
        const value = await team.call(...call);
        watch()?.answered();
        return value;
      } catch (error) {
        if (failureOf(error) === 'silent') watch()?.askedInVain();
        throw error;
      }
    },
  };
}
