/** Reads the setting of the store's path. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileNamed } from '../store-place/locate';
import { isUrl } from '../store-place/store-place';

/** What the setting says in each of its places; undefined where it is not set. */
export interface StorePathSetting {
  readonly globalValue?: string | undefined;
  readonly workspaceValue?: string | undefined;
  readonly workspaceFolderValue?: string | undefined;
}

export interface NamedStore {
  /** Absolute; undefined when no store is named. */
  readonly file: string | undefined;
  /** The settings of the workspace name it, which came with it: that is no person's word that it may be used. */
  readonly ofWorkspace: boolean;
  /** As it is written: an address, or a file that the settings of the workspace may not name. */
  readonly refused: string | undefined;
}

/**
 * The store that the setting names for a folder. What a person's own settings name counts, wherever it is; the
 * settings of a workspace came with it, and what they name has to lie in the folder: they could name any file of the
 * person's, who trusted the workspace to build, and not to read and write the memory of another project. An address
 * such as `postgres://…` names no file, so it is not used either.
 */
export function namedStore(set: StorePathSetting, folder: string, home: string): NamedStore {
  let refused: string | undefined;
  for (const value of [set.workspaceFolderValue, set.workspaceValue]) {
    if (value === undefined) continue;
    const path = value.trim();
    if (path === '') return { file: undefined, ofWorkspace: false, refused };
    const file = fileNamed(path, { cwd: folder, home });
    if (!isUrl(path) && liesIn(folder, file)) return { file, ofWorkspace: true, refused };
    refused ??= path;
  }
  const own = set.globalValue?.trim() ?? '';
  if (isUrl(own)) return { file: undefined, ofWorkspace: false, refused: refused ?? own };
  return { file: own === '' ? undefined : fileNamed(own, { cwd: folder, home }), ofWorkspace: false, refused };
}

/** Links on the way count for where they lead, also where the file is still to be made. */
function liesIn(folder: string, file: string): boolean {
  const real = whereItLeads(file);
  const root = whereItLeads(folder);
  if (real === undefined || root === undefined) return false;
  const way = relative(root, real);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** @returns undefined for a link that leads nowhere: what is made through it may be made anywhere */
function whereItLeads(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    if (isLink(path) || dirname(path) === path) return undefined;
    const folder = whereItLeads(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
