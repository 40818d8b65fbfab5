/** The projects of a server: each database is opened once, and all of its clients work on it. */
import { fileOf } from '../../store-place/store-place';
import { notFound } from '../base/errors';
import { isStoreAt } from '../base/store-at';
import { quoted } from '../base/text';
import type { Store } from '../db/store';
import type { Engine } from '../engine/address';
import type { StoreOnEngine } from '../engine/store-on-engine';
import { newVocabulary, type Vocabulary } from '../memory/recall/vocabulary';
import { claimPerson } from '../memory/team/principals';
import type { OpenProject, Project } from '../project/open';
import { projectOn } from '../project/open';
import { type OpenedStore, openStore } from '../project/open-store';
import { openOnEngine } from './engine-projects';
import { engineNotNamed, type TeamFolder } from './team-folder';

/** What opening a project takes of the process. */
export type ServedOptions = Pick<OpenProject, 'home' | 'git' | 'log' | 'tokenizer' | 'clock'>;

/** An engine, and the one that follows it. */
export interface EnginePair {
  readonly primary: Engine;
  readonly replica: Engine | undefined;
}

export class ServedProjects {
  private readonly stores = new Map<string, Promise<OpenedStore>>();
  /** By store: nobody's number ever changes. */
  private readonly people = new WeakMap<Store, Map<string, number>>();
  /** Of an engine, by project. */
  readonly onEngine = new Map<string, StoreOnEngine>();
  private readonly vocabularies = new WeakMap<Store, Vocabulary>();

  constructor(
    private readonly folder: TeamFolder,
    private readonly options: ServedOptions,
    /** Where the databases are, when they are not in the folder. */
    private readonly engine?: EnginePair,
  ) {}

  /** The number of a person in the store of a project. */
  async principal(project: string, person: string): Promise<number> {
    const { store } = await this.store(project);
    const known = this.people.get(store) ?? new Map<string, number>();
    this.people.set(store, known);
    const number = known.get(person) ?? (await claimPerson(store, person));
    known.set(person, number);
    return number;
  }

  /** A project for one client, on the store that all share. Closing it leaves the store open. */
  async openFor(project: string, holder: OpenProject['holder']): Promise<Project> {
    const opened = await this.store(project);
    const place = this.engine ? this.folder.placeIn(this.engine.primary, project) : this.folder.placeOf(project);
    const { store } = opened;
    const vocabulary = this.vocabularies.get(store) ?? newVocabulary();
    this.vocabularies.set(store, vocabulary);
    return projectOn({ ...opened, close: async () => {} }, { ...this.options, place, holder, vocabulary });
  }

  /** @throws SvcError not_found, or as `openStore`; a schema of another version is for an operator to bring up to date */
  async store(project: string): Promise<OpenedStore> {
    const before = this.stores.get(project);
    const known = await before?.catch(() => undefined);
    // It may have been restored since the last call, or another file put in its place.
    await known?.store.look();
    if (known && !known.isOld()) return known;
    // One database has one queue of writes in a process, however many call while the old one is being closed.
    const begun = this.stores.get(project);
    if (begun && begun !== before) return begun;
    const open = (): Promise<OpenedStore> => (this.engine ? this.openIn(this.engine, project) : this.openFile(project));
    const opening = known ? known.close().then(open) : open();
    this.stores.set(project, opening);
    return opening;
  }

  private async openFile(project: string): Promise<OpenedStore> {
    const place = this.folder.placeOf(project);
    if (!isStoreAt(fileOf(place))) throw this.folder.isInEngine(project) ? engineNotNamed(project) : notThere(project);
    return openStore(place, { ...this.options, migrates: false });
  }

  private async openIn({ primary, replica }: EnginePair, project: string): Promise<OpenedStore> {
    if (!this.folder.has(project)) throw notThere(project);
    const name = this.folder.databaseOf(project);
    const isOld = (): boolean => this.folder.databaseOf(project) !== name;
    const opened = await openOnEngine(primary, name, { isOld, replica });
    this.onEngine.set(project, opened.store);
    return opened;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.stores.values());
    for (const each of opened) if (each.status === 'fulfilled') await each.value.close();
  }
}

function notThere(project: string): Error {
  return notFound(`The project ${quoted(project)} is not there`, 'Ask the operator of the server');
}
