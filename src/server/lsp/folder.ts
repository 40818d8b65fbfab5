/** One folder of the window, with its project. */
import * as l10n from '@vscode/l10n';
import type { Changed, Uri } from '../../protocol/requests';
import type { TeamNote } from '../../protocol/team-note';
import { locateStore, type Surroundings } from '../../store-place/locate';
import { fileOf, type StorePlace, storeExists } from '../../store-place/store-place';
import { endSentence, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { ClientViews } from '../project/client-views';
import { forAgent } from '../project/for-agent';
import { graphRoot } from '../project/graph-root';
import { readKeeping } from '../project/keeping';
import { isRestored, StoreLeft } from '../project/left-store';
import { isMendedByBackup, missingStore } from '../project/lost-store';
import { type OpenProject, openProject, type Project } from '../project/open';
import { withSessionLeft } from '../project/resume-left-session';
import { RetiredProjects } from '../project/retired-projects';
import { acceptShared, acceptStore, accountOf, type StoreAccount } from '../project/trust-store';
import { type ProjectWatch, watchProject } from '../project/watch-project';
import { OF_A_WINDOW, type Opening } from './opening';
import type { Settings } from './settings';
import { TeamAlone } from './team-alone';
import { TeamWatch, watchedTeam } from './team-watch';

interface Opened {
  readonly trusted: boolean;
  readonly project: Project;
  readonly views: ClientViews;
  /** By the name of the agent's host. */
  readonly agents: Map<string, ClientViews>;
  readonly watch: ProjectWatch;
  readonly team: TeamWatch;
}

const EVERYTHING = ['memory', 'graph', 'review'] as const;
/** How often a folder without a store is looked at for one. */
const LOOK_FOR_STORE_MS = 800;

/** One folder of the window. Its project is opened when it is first needed, and again when its file was replaced. */
export class Folder {
  private opened: Promise<Opened> | undefined;
  private current: Opened | undefined;
  private waiting: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly retired = new RetiredProjects();
  private readonly alone: TeamAlone;
  /** Whether there was a team to ask when that was last looked at, before there is a store. */
  private hadTeam = false;
  /** What became of the store that this window had open last, where that has to be brought back. */
  private left: StoreLeft | undefined;

  constructor(
    readonly uri: Uri,
    readonly path: string,
    private readonly opening: Opening,
    private readonly settings: () => Settings,
    private readonly changed: (what: Changed['what']) => void,
  ) {
    this.alone = new TeamAlone(
      opening.around.home,
      () => this.settings().trusted,
      () => this.changed(['team']),
    );
  }

  /** Where the store is, or where the first write would make it. */
  place(): StorePlace {
    return locateStore({ ...this.named(), makesStore: this.settings().folder(this.uri).autoInit });
  }

  /** The folder whose code and documents the code graph holds, as the command line finds it here. */
  codeRoot(): string {
    return this.place().root ?? graphRoot(this.around());
  }

  /**
   * What a person should know of a store that a backup can bring back; undefined where none was lost. What to do about it
   * stands on a button there, and not in words.
   * @param problem why it cannot be used
   */
  lost(problem: unknown): string | undefined {
    if (isMendedByBackup(problem)) return endSentence(problem.problem);
    // Brought back by now, it is no news.
    if (this.left && isRestored(this.left.store)) this.left = undefined;
    if (this.left || this.hasStore()) return this.left && endSentence(this.left.problem);
    const path = missingStore(this.named());
    if (path === undefined) return undefined;
    return l10n.t('The store {0} no longer exists. There are backups of it.', shownPath(path));
  }

  /** With the store that a setting names. */
  private named(): Surroundings {
    const { storePath, storePathOfWorkspace } = this.settings().folder(this.uri);
    const named = { storeFile: storePath, storeFileFromEditor: storePathOfWorkspace };
    return { ...this.around(), ...(storePath === undefined ? {} : named) };
  }

  private around(): Surroundings {
    return { ...this.opening.around, projectRoot: this.path, cwd: this.path };
  }

  /**
   * The project, in a namespace.
   * @param make a store that is not there is made; otherwise reading makes nothing
   * @throws SvcError unavailable without a store, or when it cannot be opened
   */
  async project(namespace: string, make: boolean): Promise<Project> {
    const { views, team } = await this.open(make);
    team.look();
    return withSessionLeft(views.of(namespace));
  }

  /**
   * The same for an agent of the editor, which is no person.
   * @param client the agent's host
   * @throws SvcError as project
   */
  async projectForAgent(namespace: string, make: boolean, client: string): Promise<Project> {
    const { project, agents } = await this.open(make);
    const views = agents.get(client) ?? new ClientViews(this.asAgent(project, client));
    agents.set(client, views);
    return views.of(namespace);
  }

  private asAgent(project: Project, client: string): Project {
    const { around, holder, log } = this.opening;
    const { place } = project;
    const keeping = readKeeping({ place, home: around.home, setting: () => this.settings().keep, log });
    return forAgent(project, () => ({ ...holder(), client, by: 'agent' }), keeping);
  }

  /**
   * The project to read from. Where there is no store yet, but a team that the person has agreed to ask, an empty one stands in.
   * @param client the agent's host; undefined for the person
   * @throws SvcError as project
   */
  async reading(namespace: string, client?: string): Promise<Project> {
    if (this.hasStore()) this.alone.leave();
    else {
      const place = this.place();
      const project = await this.alone.project(place, namespace, () => this.optionsFor(place));
      if (project) {
        this.expectStore();
        return client === undefined ? project : this.asAgent(project, client);
      }
    }
    return client === undefined ? this.project(namespace, false) : this.projectForAgent(namespace, false, client);
  }

  /** What is said to a person about the team whose memory is asked; null where none is. @throws SvcError as project */
  async teamNote(namespace: string): Promise<TeamNote | null> {
    if (!this.hasStore() && !this.alone.hasTeam(this.place())) {
      this.alone.leave();
      return null;
    }
    await this.reading(namespace);
    return (await this.watch()?.note()) ?? null;
  }

  /** A person has given a token for the memory of a team, or agreed to ask it. */
  askTeamAgain(): void {
    const watch = this.watch();
    if (watch) watch.askAgain();
    // Nothing was open, because nobody was asked until now.
    else this.changed(['team']);
  }

  private watch(): TeamWatch | undefined {
    return this.current?.team ?? this.alone.watch();
  }

  hasStore(): boolean {
    return this.current !== undefined || storeExists(this.place());
  }

  /** Somebody would like to see what is in the store: tells when there is one. */
  expectStore(): void {
    if (this.waiting || this.opened || this.closed) return;
    this.waiting = setTimeout(() => {
      this.waiting = undefined;
      this.lookForStore();
    }, LOOK_FOR_STORE_MS).unref();
  }

  /** What a person should know before accepting the store. @throws SvcError as opening it does */
  account(): Promise<StoreAccount> {
    return accountOf(this.optionsFor(this.place()));
  }

  /** A person accepts the store, which is written from now on, and the shared memories. @throws SvcError unavailable */
  async accept(): Promise<void> {
    const { around, git } = this.opening;
    const place = this.place();
    const { known, shared } = await this.account();
    if (!known) await acceptStore(place, { home: around.home, git });
    if (!shared.known && place.root !== undefined) acceptShared(place.root, around.home, 'accepted');
    await this.close(false);
    this.changed(EVERYTHING);
  }

  /** What is only read may still be read by requests that have begun. */
  private async leave(current: Opened): Promise<void> {
    if (current.project.access === 'own') return this.close(false);
    this.opened = undefined;
    this.current = undefined;
    current.watch.close();
    current.team.close();
    this.retired.add(current.project);
  }

  /** HEAD, a reference or a setting of its repository may have changed. */
  gitChanged(): void {
    this.current?.project.past?.forget();
    this.current?.watch.wake();
  }

  /** Looks at once for what changed on the disk. */
  async check(): Promise<void> {
    if (this.current) await this.current.watch.check();
    else this.lookForStore();
  }

  /** Closes what is open; the next request opens it again. For settings that move the store, too. */
  async close(forGood = true): Promise<void> {
    this.closed ||= forGood;
    clearTimeout(this.waiting);
    this.waiting = undefined;
    const opened = this.opened;
    this.opened = undefined;
    this.current = undefined;
    const before = await opened?.catch(() => undefined);
    before?.watch.close();
    before?.team.close();
    await before?.project.close();
    await this.alone.close(forGood);
    if (forGood) await this.retired.closeAll();
  }

  private async open(make: boolean): Promise<Opened> {
    const { current } = this;
    await current?.project.store.look();
    if (current && current === this.current && this.isPast(current)) {
      const { left } = current.project.store;
      if (left) this.opening.log(left.message);
      if (left instanceof StoreLeft && left.isLost) this.left = left;
      await this.leave(current);
      // Nothing of what was said of the store before is true of this one.
      if (!this.closed) this.changed(EVERYTHING);
    } else if (current?.project.store.left) {
      // Nothing lies there: a caller that would not read anything is told, too.
      throw current.project.store.left;
    }
    if (this.closed) {
      throw unavailable(l10n.t('The folder is no longer in this window'), l10n.t('Open it again, and try again'));
    }
    if (!this.opened) {
      const place = this.place();
      if (!make && !storeExists(place)) {
        this.expectStore();
        throw unavailable(
          l10n.t('There is no store yet. It would be created at {0}', shownPath(fileOf(place))),
          l10n.t('Initialise the memory, or store something: the first write creates the store'),
        );
      }
      const opening = this.openAt(place);
      this.opened = opening;
      opening.then(
        (opened) => {
          if (this.opened !== opening) return;
          this.current = opened;
          clearTimeout(this.waiting);
          this.waiting = undefined;
        },
        () => {
          if (this.opened === opening) this.opened = undefined;
        },
      );
    }
    const opened = await this.opened;
    // The workspace may have been trusted, or another store named, while this one was opened.
    return opened === current || this.isMeant(opened) ? opened : this.open(make);
  }

  private optionsFor(place: StorePlace): OpenProject {
    const { holder, log, tokenizer, assets, around, git } = this.opening;
    const { trusted } = this.settings();
    const connect = (address: string) => watchedTeam(this.opening.connectTeam(address), () => this.watch());
    return {
      ...{ place, home: around.home, git, trusted, holder, log, tokenizer, assets, ...OF_A_WINDOW },
      whenDoubtsLate: () => {
        if (!this.closed) this.changed(['review']);
      },
      // What came with a folder that nobody trusts leads no question anywhere.
      ...(trusted ? { askTeam: { connect, log } } : {}),
    };
  }

  /** Another store lies there now, this one is only read and was changed, or the workspace was trusted. */
  private isPast(opened: Opened): boolean {
    const { project } = opened;
    // A store that is gone is not to be had elsewhere: the caller is told where it is.
    return project.isOld() || (!project.store.left && !this.isMeant(opened));
  }

  /** Whether it is that of the settings as they are now. */
  private isMeant({ trusted, project }: Opened): boolean {
    const [now, then] = [this.place(), project.place];
    const isElsewhere = now.url !== then.url || (now.kind === 'named') !== (then.kind === 'named');
    return !isElsewhere && trusted === this.settings().trusted;
  }

  private async openAt(place: StorePlace): Promise<Opened> {
    const { trusted } = this.settings();
    const project = await openProject(this.optionsFor(place));
    return {
      trusted,
      project,
      views: new ClientViews(project),
      agents: new Map(),
      watch: watchProject(project, this.changed),
      team: new TeamWatch(project, () => this.changed(['team'])),
    };
  }

  private lookForStore(): void {
    if (this.opened || this.closed) return;
    const place = this.place();
    if (storeExists(place)) this.changed(['memory']);
    else {
      // A person may agree elsewhere to ask the team, and may take that back.
      const hasTeam = this.alone.hasTeam(place);
      const isNews = hasTeam !== this.hadTeam;
      this.hadTeam = hasTeam;
      if (isNews) this.changed(['team']);
      this.expectStore();
    }
  }
}
