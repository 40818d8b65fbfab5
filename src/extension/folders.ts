/** The folders of the window, and where their stores are. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isStoreAt } from '../server/base/store-at';
import { homeFolder } from './environment';
import { onSettingChange, setting, storePathSetting } from './settings';
import { type NamedStore, namedStore } from './store-path';

/** A workspace folder, as what its memory is found by. */
export interface MemoryFolder {
  readonly uri: vscode.Uri;
  /** Tells it from the other folders of the window: its name, numbered where several have the same. */
  readonly name: string;
  readonly path: string;
  readonly store: Store;
}

export interface Store {
  /** Undefined for the store in the home directory, which the server finds by itself. */
  readonly file: string | undefined;
  readonly exists: boolean;
  /** `new`: the first write makes it. */
  readonly kind: 'setting' | 'project' | 'new' | 'home';
  /** A setting of the workspace names it, which came with the folder. */
  readonly ofWorkspace?: boolean;
  /** The path that the workspace's own settings name, where it lies outside of the folder and is not used. */
  readonly refused?: string | undefined;
}

const STORE = join('.svc', 'memory.db');

/** The folders of this window that lie on the machine where the extension runs. */
export function memoryFolders(): MemoryFolder[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const taken = new Set<string>();
  return folders.map(({ uri, name }) => {
    let own = name;
    for (let count = 2; taken.has(own); count += 1) own = `${name} ${count}`;
    taken.add(own);
    return { uri, path: uri.fsPath, name: own, store: storeOf(uri) };
  });
}

/** What the paths of code are relative to, and where the code graph lies; the home store is about no code. */
export function codeRoot({ path, store }: MemoryFolder): string | undefined {
  if (store.file === undefined) return undefined;
  const around = dirname(store.file);
  if (basename(around) !== '.svc') return path;
  return dirname(around) === homeFolder() ? undefined : dirname(around);
}

/** The folder that a file belongs to. */
export function folderOf(file: vscode.Uri): MemoryFolder | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  return folder && memoryFolders().find(({ uri }) => uri.toString() === folder.uri.toString());
}

/**
 * Where the memory of a folder is: the file that the setting names (see namedStore); else the nearest `.svc/memory.db` upwards, the
 * home directory's own left out; else, with autoInit, one in the folder; else the home store.
 */
function storeOf(folder: vscode.Uri): Store {
  const { file, ofWorkspace, refused } = storeNamedFor(folder);
  if (file !== undefined) return { file, exists: isStoreAt(file), kind: 'setting', ofWorkspace, refused };
  return { ...unnamedStoreOf(folder), refused };
}

/** What the setting `storePath` comes to for a folder. */
export function storeNamedFor(folder: vscode.Uri): NamedStore {
  return namedStore(storePathSetting(folder), folder.fsPath, homeFolder());
}

function unnamedStoreOf(folder: vscode.Uri): Store {
  const home = homeFolder();
  for (const candidate of upwards(folder.fsPath)) {
    const file = join(candidate, STORE);
    if (candidate !== home && isStoreAt(file)) return { file, exists: true, kind: 'project' };
  }
  if (setting('autoInit', folder) && folder.fsPath !== home) {
    return { file: join(folder.fsPath, STORE), exists: false, kind: 'new' };
  }
  return { file: undefined, exists: isStoreAt(join(home, STORE)), kind: 'home' };
}

function* upwards(folder: string): Generator<string> {
  for (let current = folder; ; current = dirname(current)) {
    yield current;
    if (current === dirname(current)) return;
  }
}

/** Fires when folders or their stores come or go, or when a setting that decides about a store changes. */
export interface FolderChanges extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
}

export function watchFolders(): FolderChanges {
  const changed = new vscode.EventEmitter<void>();
  let watchers: vscode.Disposable[] = [];
  const watch = (): void => {
    for (const each of watchers) each.dispose();
    watchers = memoryFolders().map((folder) => watchStore(folder, () => changed.fire()));
  };
  watch();
  const others = [
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      watch();
      changed.fire();
    }),
    onSettingChange(['autoInit', 'storePath'], () => changed.fire()),
  ];
  return {
    onDidChange: changed.event,
    dispose: () => [...watchers, ...others].forEach((each) => void each.dispose()),
  };
}

/** How long a store is looked for after its folder was made, and how often, in milliseconds. */
const STORE_MADE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 250;

/**
 * On Linux the editor may not tell of a file that is made right after its folder
 * (github.com/parcel-bundler/watcher/issues/243), as every store is: so it is looked for.
 */
function watchStore({ uri, path }: MemoryFolder, listener: () => void): vscode.Disposable {
  let looking: NodeJS.Timeout | undefined;
  const look = (): void => {
    clearInterval(looking);
    const until = Date.now() + STORE_MADE_WITHIN_MS;
    looking = setInterval(() => {
      const made = existsSync(join(path, STORE));
      if (!made && Date.now() < until) return;
      clearInterval(looking);
      if (made) listener();
    }, LOOK_EVERY_MS);
  };
  const folder = watchFiles(uri, dirname(STORE), look, { changes: false });
  const store = watchFiles(uri, '.svc/memory.db', listener, { changes: false });
  return vscode.Disposable.from(folder, store, { dispose: () => clearInterval(looking) });
}

/** @param pattern of paths below the folder */
export function watchFiles(
  folder: vscode.Uri,
  pattern: string,
  listener: () => void,
  { changes = true }: { readonly changes?: boolean } = {},
): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(folder, pattern),
    false,
    !changes,
    false,
  );
  watcher.onDidCreate(listener);
  watcher.onDidChange(listener);
  watcher.onDidDelete(listener);
  return watcher;
}
