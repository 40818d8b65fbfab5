/** The memory of a folder's team, where the folder has no store of its own yet. */
import { tmpdir } from 'node:os';
import type { StorePlace } from '../../store-place/store-place';
import { ClientViews } from '../project/client-views';
import type { OpenProject, Project } from '../project/open';
import { type StandIn, standIn } from '../project/stand-in';
import { namedTeam } from '../project/team-memory';
import { TeamWatch } from './team-watch';

interface Alone {
  readonly url: string;
  readonly views: ClientViews;
  readonly team: TeamWatch;
}

/** An empty store stands in, so that what reads needs to know nothing of it. Nothing is made in the folder. */
export class TeamAlone {
  private standsIn: StandIn | undefined;
  private opened: Alone | undefined;

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
    if (!this.hasTeam(place)) {
      this.leave();
      return undefined;
    }
    if (this.opened?.url !== place.url) await this.close();
    this.standsIn ??= standIn(options(), tmpdir());
    const project = await this.standsIn.open().catch(async (error: unknown) => {
      await this.close();
      throw error;
    });
    if (!project) return undefined;
    this.opened ??= {
      url: place.url,
      views: new ClientViews(project),
      team: new TeamWatch(project, this.changed),
    };
    this.opened.team.look();
    return this.opened.views.of(namespace);
  }

  watch(): TeamWatch | undefined {
    return this.opened?.team;
  }

  /** What reads it may go on; nobody listens any more. */
  leave(): void {
    this.opened?.team.close();
    this.opened = undefined;
  }

  async close(): Promise<void> {
    this.leave();
    const before = this.standsIn;
    this.standsIn = undefined;
    await before?.close();
  }
}
