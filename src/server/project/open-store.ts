/** Opens a store as far as it may be used. */

import { realpathSync, statSync } from 'node:fs';
import { fileOf, type StorePlace } from '../../store-place/store-place';
import type { SvcError } from '../base/errors';
import { HOST } from '../base/host';
import { isThere, realPlace } from '../base/paths';
import { processIsAlive } from '../base/process-is-alive';
import { isStoreAt } from '../base/store-at';
import { identityOf } from '../db/at-place';
import type { LeftFile } from '../db/leaving';
import { OtherProgram } from '../db/migrate';
import { openFile } from '../db/open-file';
import { isOpenHere } from '../db/open-here';
import { copyPrivately } from '../db/private-copy';
import type { Store } from '../db/store';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { dropLeftRows } from '../memory/reserved-rows';
import { fillSaid } from '../memory/similar/fill-said';
import { backupsFor } from './backups';
import { requireNotEmptied } from './emptied-store';
import { finishErase } from './erase';
import { knownAt, noteFile, rememberStore } from './known-stores';
import { keepLeftStore } from './left-store';
import { makeFolder } from './make-folder';
import { requireOwnLog } from './own-log';
import {
  type Access,
  accessTo,
  type FileKind,
  nowAndThen,
  type Owner,
  openCopy,
  refusalOf,
  requirePlace,
} from './store-access';
import { StoreBackups } from './store-backups';

export interface OpenedStore {
  readonly store: Store;
  readonly access: Access;
  /** Of a store that is written. */
  readonly backups: StoreBackups | undefined;
  /** What is read is a copy of a store that was changed, or accepted, since. */
  readonly isOld: () => boolean;
  /** Closes the store, and takes away what opening it has made elsewhere. */
  readonly close: () => Promise<void>;
}

export const MEMORY_FILE: FileKind = {
  migrations: MEMORY_MIGRATIONS,
  ids: 'mem_flags',
  what: 'memories',
  madeHere: hasSessionsOfThisMachine,
};

/**
 * An archive or a package brings files that Git does not know. What was stored here was stored in sessions of this
 * machine; a store without any memory has nothing to say.
 */
async function hasSessionsOfThisMachine(path: string): Promise<boolean> {
  const copy = await copyPrivately(path);
  try {
    const store = await openFile({ path: copy.path, migrations: MEMORY_MIGRATIONS, create: false });
    try {
      const row = await store.get<{ here: number }>(
        `SELECT NOT EXISTS (SELECT 1 FROM mem_nodes) OR EXISTS (SELECT 1 FROM mem_sessions WHERE host = $host) AS here`,
        { host: HOST },
      );
      return row?.here === 1;
    } finally {
      await store.close();
    }
  } finally {
    await copy.remove();
  }
}

/**
 * Opens a store as it may be used; one that is not there is made.
 * @throws SvcError unavailable
 */
export async function openStore(place: StorePlace, owner: Owner): Promise<OpenedStore> {
  try {
    return await openAt(place, owner);
  } catch (error) {
    if (!(error instanceof OtherProgram)) throw error;
    const [newest] = backupsFor(owner.home, realPlace(fileOf(place)));
    throw new OtherProgram(error.path, newest?.name);
  }
}

async function openAt(place: StorePlace, owner: Owner): Promise<OpenedStore> {
  const path = fileOf(place);
  requireNotEmptied(path, owner.home);
  if (!isOpenHere(path)) await requireOwnLog(realPlace(path), owner.home);
  // Who had it open may have dropped its log meanwhile.
  requireNotEmptied(path, owner.home);
  const exists = isThere(path);
  if (!exists && owner.trusted === false) throw refusalOf('untrusted', path);
  if (!exists) requirePlace(place);
  const access = exists ? await accessTo(place, MEMORY_FILE, owner) : 'own';
  if (access !== 'own') {
    const real = realpathSync(path);
    const known = knownAt(owner.home, real)?.id;
    const copy = await openCopy(path, MEMORY_FILE, access);
    const isAccepted = (): boolean => access === 'foreign' && knownAt(owner.home, real)?.id !== known;
    return {
      store: copy.store,
      access,
      backups: undefined,
      isOld: () => copy.isOld() || isAccepted(),
      close: () => copy.store.close().finally(copy.remove),
    };
  }
  makeFolder(path);
  return openOwn(place, owner, !exists || statSync(path).size === 0);
}

/** @param isNew it is made now */
async function openOwn(place: StorePlace, owner: Owner, isNew: boolean): Promise<OpenedStore> {
  const path = fileOf(place);
  const { home, clock, log, migrates } = owner;
  let id: string | undefined;
  const made = (given: string): void => {
    id = given;
    rememberStore(
      home,
      { path: realpathSync(path), id, how: isNew ? 'made' : 'adopted', what: MEMORY_FILE.what },
      clock,
    );
  };
  const whenLeft = (left: LeftFile): Promise<SvcError> =>
    keepLeftStore({ path: real, id: id ?? '', home, clock }, left);
  const store = await openFile({
    path,
    migrations: MEMORY_MIGRATIONS,
    create: true,
    migrates,
    identity: { table: MEMORY_FILE.ids, made },
    whenLeft,
  });
  const real = realPlace(path);
  let backups: StoreBackups;
  try {
    id = await store.id(MEMORY_FILE.ids);
    backups = new StoreBackups({ store, id: id ?? '', path: real, home, clock, log });
    await finishErase({ store, backups }, 0);
    await fillSaid(store);
    await dropLeftRows(store, ({ pid, host }) => host === HOST && !processIsAlive(pid));
  } catch (error) {
    await store.close();
    throw error;
  }
  const file = identityOf(real);
  if (file !== undefined) noteFile(home, real, file);
  const known = knownAt(home, real)?.id;
  // Somebody may take the acceptance back.
  const isRevoked = nowAndThen(
    () => known !== undefined && place.kind !== 'named' && knownAt(home, real)?.id !== known,
  );
  // After the file is gone, there is nothing to open until another file is in its place.
  const isOld = (): boolean => (store.left ? isStoreAt(path) : isRevoked());
  return { store, access: 'own', backups, isOld, close: () => store.close() };
}
