/** The shared memories of a project: what stands in its folder, read together with its store. */
import { createHash } from 'node:crypto';
import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import { isThere } from '../base/paths';
import { openFile } from '../db/open-file';
import type { Store } from '../db/store';
import { type MatchedNames, matchNames } from '../memory/code/touches';
import { LAYER_VIEWS, SHARED_LAYER } from '../memory/layers';
import type { SharedMemories } from '../memory/marks';
import type { Memory } from '../memory/memory';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { scanFolder } from '../shared/scan-folder';
import { type FileProblem, SHARED_FOLDER } from '../shared/shared-memory';
import { LayerSync } from '../shared/sync-layer';
import { graphFile } from './code-graph';
import { noteBack } from './edit-rows';
import { knownAt } from './known-stores';
import { makeFolder } from './make-folder';
import { seeFiles } from './shared-edits';
import { nowAndThen } from './store-access';
import { folderAt } from './watch-folder';

/** A file that is not understood. */
export interface UnreadFile extends FileProblem {
  /** Relative to the root, with `/`. */
  readonly path: string;
}

export interface ProjectShared extends SharedMemories {
  /** Undefined where memories cannot be shared: the store has no folder of code. */
  readonly folder: string | undefined;
  /** How many there are, as of the last look. */
  readonly count: number;
  /** Their files, relative to the root, as of the last look. */
  readonly files: readonly string[];
  /** Another one after each look that found something else. */
  readonly version: number;
  /** As of the last look. */
  readonly unread: readonly UnreadFile[];
  /** Somebody has accepted the folder since, or took that back. */
  isOld(): boolean;
  /** Looks what the files say now. Called before each call; a folder that cannot be read never makes one fail. */
  refresh(): Promise<void>;
  /** The file of their rows, for what is kept beside these; undefined where nothing is shared, or nobody has accepted it. */
  rows(): Promise<Store | undefined>;
  close(): Promise<void>;
}

/** Where there is no folder that memories could be shared in. */
export const NO_SHARED: ProjectShared = {
  folder: undefined,
  foreign: false,
  count: 0,
  files: [],
  version: 0,
  unread: [],
  has: () => false,
  names: () => false,
  fileOf: () => undefined,
  byName: new Map(),
  keptBeside: () => [],
  isOld: () => false,
  refresh: async () => {},
  rows: async () => undefined,
  close: async () => {},
};

export interface SharedOptions {
  readonly root: string;
  readonly home: string;
  readonly store: Store;
  readonly memory: Omit<Memory, 'shared'>;
  readonly clock: Clock;
  readonly log: Log;
  /** False in a window of the editor that is not trusted. */
  readonly trusted: boolean;
}

/** With fewer files each call looks at them; with more a watch says whether one has to. */
const FEW_FILES = 200;
/** Of the file that holds the rows: another form has another file. It counts up, too, when files are understood otherwise. */
const FORM = 3;

export function sharedMemories(options: SharedOptions): ProjectShared {
  const folder = join(options.root, SHARED_FOLDER);
  const shared = new Shared(options, folder);
  return {
    folder,
    get foreign() {
      return shared.foreign;
    },
    get count() {
      return shared.paths.size;
    },
    get files() {
      return [...shared.paths.values()];
    },
    get version() {
      return shared.version;
    },
    get unread() {
      return shared.unread;
    },
    has: (id) => shared.paths.has(id),
    names: (id) => shared.entities.has(id),
    fileOf: (id) => shared.paths.get(id),
    get byName() {
      return shared.byName;
    },
    keptBeside: (id) => shared.beside.get(id) ?? [],
    isOld: () => shared.isOld(),
    refresh: () => shared.refresh(),
    rows: () => shared.rows(),
    close: () => shared.close(),
  };
}

class Shared {
  /** By id. */
  paths: ReadonlyMap<string, string> = new Map();
  byName: ReadonlyMap<string, readonly string[]> = new Map();
  beside: ReadonlyMap<string, readonly string[]> = new Map();
  entities: ReadonlySet<string> = new Set();
  version = 0;
  unread: readonly UnreadFile[] = [];
  foreign = false;
  private opened: { readonly layer: Store; readonly sync: LayerSync } | undefined;
  private looking: Promise<void> = Promise.resolve();
  private seen: LayerSync['known'] | undefined;
  private ownVersion: number | undefined;
  private watcher: FSWatcher | undefined;
  private watched: string | undefined;
  private isDirty = true;
  private failed = false;

  constructor(
    private readonly options: SharedOptions,
    private readonly folder: string,
  ) {}

  readonly isOld = nowAndThen(() => this.opened !== undefined && this.foreign !== this.isForeign());

  private isForeign(): boolean {
    const { trusted, home, root } = this.options;
    return !trusted || !isAccepted(home, root);
  }

  refresh(): Promise<void> {
    this.looking = this.looking
      .then(() => this.look())
      .catch((error: unknown) => {
        if (!this.failed) this.options.log(`shared memories are not up to date: ${String(error)}`);
        this.failed = true;
      });
    return this.looking;
  }

  async rows(): Promise<Store | undefined> {
    const opening = this.looking.then(async () => {
      // All of them may have been removed, with the folder.
      const isKnown = this.opened !== undefined || isThere(await this.file(this.isForeign()));
      return isKnown ? (await this.open()).layer : undefined;
    });
    this.looking = opening.then(
      () => {},
      () => {},
    );
    const layer = await opening;
    return this.foreign || this.isForeign() ? undefined : layer;
  }

  async close(): Promise<void> {
    await this.looking;
    this.watcher?.close();
    await this.opened?.layer.close();
  }

  private async look(): Promise<void> {
    if (!this.opened && folderAt(this.folder) === undefined) return;
    const { sync } = await this.open();
    const { store } = this.options;
    const [version] = await Promise.all([store.changes(), this.told()]);
    if (this.isDirty) {
      this.isDirty = false;
      const stamps = scanFolder(this.folder);
      await sync.sync(stamps);
      this.watchMany(stamps);
    } else await sync.sync(undefined);
    if (version !== this.ownVersion || sync.known !== this.seen) await sync.follow(store);
    this.ownVersion = version;
    if (sync.known !== this.seen) await this.note(sync);
  }

  private async note(sync: LayerSync): Promise<void> {
    const { known } = sync;
    this.seen = known;
    this.version += 1;
    this.entities = this.foreign ? await sync.entities() : new Set();
    this.paths = new Map(
      [...known].flatMap(([path, { memory }]) => (memory ? [[memory.id, `${SHARED_FOLDER}/${path}`] as const] : [])),
    );
    await this.noteBack();
    this.byName = new Map(
      [...known.values()].flatMap(({ memory }) => (memory?.by_name ? [[memory.id, memory.names] as const] : [])),
    );
    this.beside = new Map(
      [...known.values()].flatMap(({ memory }) => (memory ? [[memory.id, memory.beside] as const] : [])),
    );
    this.unread = [...known].flatMap(([path, { problem }]) =>
      problem ? [{ path: `${SHARED_FOLDER}/${path}`, ...problem }] : [],
    );
  }

  /** What was taken away and is there again. Nothing that is asked fails for it. */
  private async noteBack(): Promise<void> {
    const { root, log } = this.options;
    seeFiles(root, this.paths);
    const isBack = (id: string, path: string): boolean => this.paths.has(id) && isThere(join(root, path));
    if (!this.opened || this.foreign) return;
    await noteBack(this.opened.layer, isBack).catch((error: unknown) =>
      log(`what is back was not noted: ${String(error)}`),
    );
  }

  private async open() {
    if (this.opened) return this.opened;
    const { root, store, memory, clock } = this.options;
    this.foreign = this.isForeign();
    const path = await this.file(this.foreign);
    makeFolder(path);
    const layer = await openFile({ path, migrations: MEMORY_MIGRATIONS, create: true });
    await store.layOver({ path, name: SHARED_LAYER, views: LAYER_VIEWS });
    const sync = new LayerSync({
      ...{ root, folder: this.folder, layer, own: store, clock, foreign: this.foreign },
      match: (names): Promise<MatchedNames> => matchNames({ ...memory, shared: NO_SHARED }, names),
      codeStamp: () => stampOf(graphFile(root)),
    });
    this.opened = { layer, sync };
    return this.opened;
  }

  private async file(foreign: boolean): Promise<string> {
    const { root, home, store } = this.options;
    return layerFile(home, [root, (await store.id('mem_flags')) ?? '', foreign, FORM, MEMORY_MIGRATIONS.length]);
  }

  /** What the system has told of the folder until now; a file may have been written just before this call. */
  private async told(): Promise<void> {
    if (!this.watcher) {
      this.isDirty = true;
      return;
    }
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
    // Another folder in its place is another one to the system.
    if (folderAt(this.folder) !== this.watched) this.unwatch();
  }

  private watchMany(stamps: ReadonlyMap<string, string>): void {
    // Folders in it would need a watch each.
    const isFlat = ![...stamps.keys()].some((path) => path.includes('/'));
    if (stamps.size <= FEW_FILES || !isFlat) {
      this.unwatch();
      return;
    }
    if (this.watcher) return;
    try {
      this.watched = folderAt(this.folder);
      this.watcher = watch(this.folder, { persistent: false }, () => {
        this.isDirty = true;
      });
      this.watcher.on('error', () => this.unwatch());
      // What was written while the files were looked at.
      this.isDirty = true;
    } catch {
      this.unwatch();
    }
  }

  private unwatch(): void {
    this.watcher?.close();
    this.watcher = undefined;
    this.isDirty = true;
  }
}

/** Until what the system holds ready has been handed over. */
const TURNS = 2;

/** In the home directory: reading leaves nothing in a folder, and a folder brings no rows of its own. */
function layerFile(home: string, key: readonly unknown[]): string {
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 24);
  return join(home, STORE_FOLDER, 'shared', `${name}.db`);
}

function stampOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => (stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}` : ''))
    .join(' ');
}

/** What tells a working tree from another one that was put in its place. */
export function treeOf(root: string): { readonly path: string; readonly id: string } {
  const real = realpathSync(root);
  const { ino, birthtimeMs } = statSync(real);
  return { path: join(real, SHARED_FOLDER), id: `${ino}:${birthtimeMs}` };
}

/** Whether a person has accepted the shared memories of this folder, or began to share in it. */
export function isAccepted(home: string, root: string): boolean {
  const { path, id } = treeOf(root);
  return knownAt(home, path)?.id === id;
}
