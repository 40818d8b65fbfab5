/** The folders of the window, and where their stores are. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { locateStore, STORE_FOLDER, STORE_NAME } from '../store-place/locate';
import { fileOf, type StorePlace, storeExists } from '../store-place/store-place';
import { homeFolder } from './environment';
import { onSettingChange, setting, storePathSetting } from './settings';
import { type NamedStore, namedStore } from './store-path';

/** A workspace folder, as what its memory is found by. */
export interface MemoryFolder {
  readonly uri: vscode.Uri;
  /** Tells it from the other folders of the window: its name, numbered where several have the same. */
  readonly name: string;
  readonly path: string;
  readonly store: FolderStore;
}

/** The store of a folder, as the language server finds it; the first write makes one that does not exist. */
export interface FolderStore extends Pick<StorePlace, 'kind' | 'root'> {
  /** Undefined for the store in the home directory, which the server finds by itself. */
  readonly file: string | undefined;
  readonly exists: boolean;
  /** The path that the workspace's own settings name, where it lies outside of the folder and is not used. */
  readonly refused: string | undefined;
}

let known: readonly MemoryFolder[] | undefined;

/** The folders of this window that lie on the machine where the extension runs. */
export function memoryFolders(): readonly MemoryFolder[] {
  if (known) return known;
  known = readFolders();
  // Many parts ask one after the other, and each folder takes a look at the disk and at the settings.
  queueMicrotask(() => {
    known = undefined;
  });
  return known;
}

function readFolders(): MemoryFolder[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const taken = new Set<string>();
  return folders.map(({ uri, name }) => {
    let own = name;
    for (let count = 2; taken.has(own); count += 1) own = `${name} ${count}`;
    taken.add(own);
    return { uri, path: uri.fsPath, name: own, store: storeOf(uri) };
  });
}

/** The folder that a file belongs to. */
export function folderOf(file: vscode.Uri): MemoryFolder | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  return folder && memoryFolders().find(({ uri }) => uri.toString() === folder.uri.toString());
}

/** With what the settings say of this folder: docs/behaviour.md, "Where the store is". */
function storeOf(folder: vscode.Uri): FolderStore {
  const { file, ofWorkspace, refused } = storeNamedFor(folder);
  const place = locateStore({
    ...{ cwd: folder.fsPath, projectRoot: folder.fsPath, home: homeFolder() },
    ...{ storeFile: file, storeFileFromEditor: ofWorkspace, makesStore: setting('autoInit', folder) },
  });
  const { kind, root } = place;
  return { kind, root, file: kind === 'home' ? undefined : fileOf(place), exists: storeExists(place), refused };
}

/** What the setting `storePath` comes to for a folder. */
export function storeNamedFor(folder: vscode.Uri): NamedStore {
  return namedStore(storePathSetting(folder), folder.fsPath, homeFolder());
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

/** How long a store is looked for after its folder was made, and from when the window is open, and how often, in milliseconds. */
const STORE_MADE_WITHIN_MS = 10_000;
const WATCHED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;

/**
 * On Linux the editor may not tell of a file that is made right after its folder
 * (github.com/parcel-bundler/watcher/issues/243), as every store is; nor does it tell of what is made before it watches the
 * folder, which a busy machine does seconds after the window is open. So it is looked for.
 */
function watchStore({ uri, path }: MemoryFolder, listener: () => void): vscode.Disposable {
  let looking: NodeJS.Timeout | undefined;
  const isMade = (): boolean => existsSync(join(path, STORE_FOLDER, STORE_NAME));
  const look = (within: number): void => {
    clearInterval(looking);
    const until = Date.now() + within;
    looking = setInterval(() => {
      const made = isMade();
      if (!made && Date.now() < until) return;
      clearInterval(looking);
      if (made) listener();
    }, LOOK_EVERY_MS);
  };
  if (!isMade()) look(WATCHED_WITHIN_MS);
  const folder = watchFiles(uri, STORE_FOLDER, () => look(STORE_MADE_WITHIN_MS), { changes: false });
  const store = watchFiles(uri, `${STORE_FOLDER}/${STORE_NAME}`, listener, { changes: false });
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
