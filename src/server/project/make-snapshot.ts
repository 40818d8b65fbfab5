/** Makes the file of a project that the people of a team are given. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_NAME } from '../../store-place/locate';
import { unavailable } from '../base/errors';
import { openFile } from '../db/open-file';
import { makePrivateFolder } from '../db/private-copy';
import type { Store } from '../db/store';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { stateOfMemory, WITHOUT_WHAT_IS_THE_SERVERS } from '../memory/team/snapshot';

export interface Snapshot {
  /** In a folder that only this user may enter. */
  readonly path: string;
  readonly size: number;
  /** Of what it holds, or of a moment before. */
  readonly tag: string;
  readonly remove: () => Promise<void>;
}

/** Another one whenever the memory has changed: 32 digits in base 16, without what they are made from. */
export async function snapshotTag(store: Store): Promise<string> {
  return createHash('sha256')
    .update(await stateOfMemory(store))
    .digest('hex')
    .slice(0, 32);
}

/** @throws SvcError unavailable where it cannot be written */
export async function makeSnapshot(store: Store, tag: string): Promise<Snapshot> {
  const { folder, remove } = await makePrivateFolder();
  try {
    const path = join(folder, STORE_NAME);
    await store.copyInto({ path });
    await takeOutServers(path);
    return { path, size: statSync(path).size, tag, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Deleted content is overwritten, and its log emptied: the file is complete by itself. */
async function takeOutServers(path: string): Promise<void> {
  const copy = await openFile({ path, migrations: MEMORY_MIGRATIONS, create: false, migrates: false });
  try {
    await copy.transact((sql) => sql.batch(WITHOUT_WHAT_IS_THE_SERVERS));
    if (!(await copy.erase())) throw unavailable('The copy of the project cannot be finished', 'Try again later');
  } finally {
    await copy.close();
  }
}
