import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Changed, Uri } from '../../protocol/requests';
import { unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { inNamespace } from '../project/in-namespace';
import { isSame, locateStore, STORE_FOLDER, STORE_NAME, type StorePlace, type Surroundings } from '../project/locate';
import { type OpenProject, openProject, type Project } from '../project/open';
import { type ProjectWatch, watchProject } from '../project/watch-project';
import type { Settings } from './settings';

/** What `main/` hands in: how this process opens projects. */
export interface Opening extends Pick<OpenProject, 'holder' | 'log' | 'tokenizer'> {
  readonly around: Omit<Surroundings, 'cwd'>;
  /** The folder of the built programs. */
  readonly assets: string;
}

interface Opened {
  readonly path: string;
  readonly identity: string | undefined;
  readonly project: Project;
  /** By namespace: each has an open session of its own. */
  readonly views: Map<string, Project>;
  readonly watch: ProjectWatch;
}

const EVERYTHING = ['memory', 'graph', 'review'] as const;
/** How often a folder without a store is looked at for one. */
const LOOK_FOR_STORE_MS = 800;

/** One folder of the window. Its project is opened when it is first needed, and anew when its file was replaced. */
export class Folder {
  private opened: Promise<Opened> | undefined;
  private current: Opened | undefined;
  private waiting: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    readonly uri: Uri,
    readonly path: string,
    private readonly opening: Opening,
    private readonly settings: () => Settings,
    private readonly changed: (what: Changed['what']) => void,
  ) {}

  /** Where the store is, or where the first write would make it. */
  place(): StorePlace {
    const { autoInit, storePath } = this.settings().folder(this.uri);
    const around = { ...this.around(), ...(storePath === undefined ? {} : { storeFile: storePath }) };
    const place = locateStore(around);
    if (place.kind !== 'home' || !autoInit || isSame(this.path, around.home)) return place;
    const path = join(this.path, STORE_FOLDER, STORE_NAME);
    return { path, kind: 'project', reason: 'the first write makes it in this folder', root: this.path };
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
    return viewOf(await this.open(make), namespace);
  }

  hasStore(): boolean {
    return this.current !== undefined || existsSync(this.place().path);
  }

  /** Somebody would like to see what is in the store: tells when there is one. */
  expectStore(): void {
    if (this.waiting || this.opened || this.closed) return;
    this.waiting = setTimeout(() => {
      this.waiting = undefined;
      this.lookForStore();
    }, LOOK_FOR_STORE_MS).unref();
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
    await before?.project.close();
  }

  private async open(make: boolean): Promise<Opened> {
    const { current } = this;
    if (current && (current.path !== this.place().path || current.identity !== identityOf(current.path))) {
      await this.close(false);
      // Nothing of what was said of the store before is true of this one.
      if (!this.closed) this.changed(EVERYTHING);
    }
    if (this.closed) {
      throw unavailable(l10n.t('The folder is no longer in this window'), l10n.t('Open it again, and try again'));
    }
    if (!this.opened) {
      const place = this.place();
      if (!make && !existsSync(place.path)) {
        this.expectStore();
        throw unavailable(
          l10n.t('There is no store yet; it would be {0}', shownPath(place.path)),
          l10n.t('Initialise the memory, or store something: the first write makes it'),
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
    return this.opened;
  }

  private async openAt(place: StorePlace): Promise<Opened> {
    const { holder, log, tokenizer, assets } = this.opening;
    const project = await openProject({ place, holder, log, tokenizer, assets });
    return {
      path: place.path,
      identity: identityOf(place.path),
      project,
      views: new Map(),
      watch: watchProject(project, this.changed),
    };
  }

  private lookForStore(): void {
    if (this.opened || this.closed) return;
    if (existsSync(this.place().path)) this.changed(['memory']);
    else this.expectStore();
  }
}

/**
 * The project in a namespace. A tool may move the scope (memory_switch_namespace, `namespace` of a write), but the
 * editor's namespace is that of each request: after every write, before the next one has its turn, the view goes back,
 * and the session goes to whom it belongs.
 */
function viewOf(opened: Opened, namespace: string): Project {
  const { project, views } = opened;
  const known = views.get(namespace);
  if (known) return known;
  const plain = inNamespace(project, namespace);
  const { scope } = plain.memory;
  const goBack = (): void => {
    if (scope.namespace === namespace) return;
    const { namespace: moved, session } = scope;
    scope.namespace = namespace;
    scope.session = undefined;
    if (session) viewOf(opened, moved).memory.scope.session = session;
  };
  const view: Project = {
    ...plain,
    async write(work, tool) {
      const result = await plain.write(work, tool);
      goBack();
      return result;
    },
  };
  views.set(namespace, view);
  return view;
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
