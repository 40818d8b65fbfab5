/** The memory of a folder's team, where the folder has no store of its own yet. */
import { tmpdir } from 'node:os';
import type { StorePlace } from '../../store-place/store-place';
import { ClientViews } from '../project/client-views';
import type { OpenProject, Project } from '../project/open';
import { type StandIn, standIn } from '../project/stand-in';
import { namedTeam } from '../project/team-memory';
import { TeamWatch } from './team-watch';

/** A request that has begun may read so long from what was left. */
const LEFT_FOR_MS = 35_000;

interface Opened {
  readonly views: ClientViews;
  readonly team: TeamWatch;
}

interface Alone {
  readonly url: string;
  readonly standsIn: StandIn;
  /** Undefined where the store is there by now. */
  readonly opening: Promise<Opened | undefined>;
  opened: Opened | undefined;
}

/** An empty store stands in, so that what reads needs to know nothing of it. Nothing is made in the folder. */
export class TeamAlone {
  private alone: Alone | undefined;
  /** Left, and still read by requests that have begun. */
  private readonly left = new Set<Alone>();
  private closed = false;

  constructor(
    private readonly home: string,
    private readonly isTrusted: () => boolean,
    /** What is shown of the team is to be asked for again. */
    private readonly changed: () => void,
  ) {}

  /** Whether the person has agreed to ask the team that the folder names. */
  hasTeam(place: StorePlace): boolean {
    if (!this.isTrusted()) return false;
    try {
      return namedTeam(place, this.home).agreed;
    } catch {
      // A file that cannot be read names none; who opens the project says what is wrong with it.
      return false;
    }
  }

  /**
   * @returns undefined where no team is asked, and where the store is there by now
   * @throws SvcError unavailable
   */
  async project(place: StorePlace, namespace: string, options: () => OpenProject): Promise<Project | undefined> {
    if (this.closed || !this.hasTeam(place)) {
      this.leave();
      return undefined;
    }
    if (this.alone?.url !== place.url) {
      this.leave();
      this.alone = this.open(place.url, options());
    }
    // Several may ask at once: all wait for the same one.
    const opened = await this.alone?.opening;
    opened?.team.look();
    return opened?.views.of(namespace);
  }

  watch(): TeamWatch | undefined {
    return this.alone?.opened?.team;
  }

  /** What reads it may go on for a while; nobody listens any more. */
  leave(): void {
    const { alone } = this;
    if (!alone) return;
    this.alone = undefined;
    alone.opened?.team.close();
    this.left.add(alone);
    setTimeout(() => void this.end(alone).catch(() => undefined), LEFT_FOR_MS).unref();
  }

  /** @param forGood nothing is opened after it */
  async close(forGood: boolean): Promise<void> {
    this.closed ||= forGood;
    this.leave();
    await Promise.all([...this.left].map((alone) => this.end(alone)));
  }

  private open(url: string, options: OpenProject): Alone {
    const standsIn = standIn(options, tmpdir());
    const opening = standsIn.open().then((project) => {
      if (!project) return undefined;
      const opened = { views: new ClientViews(project), team: new TeamWatch(project, this.changed) };
      if (this.alone === alone) alone.opened = opened;
      else opened.team.close();
      return opened;
    });
    const alone: Alone = { url, standsIn, opening, opened: undefined };
    opening.catch(() => {
      if (this.alone === alone) this.leave();
    });
    return alone;
  }

  private async end(alone: Alone): Promise<void> {
    if (this.left.delete(alone)) await alone.standsIn.close();
  }
}
