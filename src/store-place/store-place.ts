/** Where a store is, whatever kind of store it is. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unavailable } from '../server/base/errors';
import { isStoreAt } from '../server/base/store-at';
import { quoted } from '../server/base/text';

/**
 * `named`: a person named this very store, so it needs no other sign of whose it is. `setting`: the settings of a
 * workspace name it; they came with the folder, so it is nobody's choice. `project`: it is in the `.svc` of a folder.
 * `home`: it is the one of all folders without a store.
 */
export type StoreKind = 'named' | 'setting' | 'project' | 'home';

/** What everything that opens, makes, watches or describes a store takes. */
export interface StorePlace {
  /** Of a file: `file:///…/memory.db`. */
  readonly url: string;
  readonly kind: StoreKind;
  /** The folder that code paths are relative to; none with the home store. */
  readonly root: string | undefined;
  /** For people: why this store and no other. */
  readonly reason: string;
}

const URL_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The URL of an absolute path. */
export function urlOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Whether a name of a store is a URL already. A path has one slash at a time, so `C:\` and `C:/` are none. */
export function isUrl(name: string): boolean {
  return URL_SCHEME.test(name);
}

/**
 * The file of a store, as an absolute path.
 * @throws SvcError unavailable for a store that is no file of this machine
 */
export function fileOf({ url }: Pick<StorePlace, 'url'>): string {
  const path = pathIn(url);
  if (path !== undefined) return path;
  throw unavailable(
    `${quoted(url)} is not a file on this machine, and a store is one`,
    'Set SVC_MEMORY_DB to the path of a file. A libSQL server is for "svc-memory serve" and "svc-memory admin" alone',
  );
}

/** Whether a store is there, or something that has to be reported. One that is no file is reported when it is opened. */
export function storeExists({ url }: Pick<StorePlace, 'url'>): boolean {
  const path = pathIn(url);
  return path === undefined || isStoreAt(path);
}

/** Whether SVC_MEMORY_DB names it, whoever has set that. */
export function isNamedByVariable({ kind }: Pick<StorePlace, 'kind'>): boolean {
  return kind === 'named' || kind === 'setting';
}

/** Whether it is a file; else it is in a server of databases. */
export function isFile({ url }: Pick<StorePlace, 'url'>): boolean {
  return pathIn(url) !== undefined;
}

function pathIn(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
