/** What a folder without a store of its own has nevertheless: a store that was lost, or shared memories that nobody reads. */
import { join } from 'node:path';
import { locateStore, type Surroundings } from '../../store-place/locate';
import { storeExists } from '../../store-place/store-place';
import { scanFolder } from '../shared/scan-folder';
import { SHARED_FOLDER } from '../shared/shared-memory';
import type { AbsentStore } from './absent-notice';
import { graphRoot } from './graph-root';
import { missingStore } from './lost-store';

export function absentStore(around: Surroundings): AbsentStore | undefined {
  if (missingStore(around) !== undefined) return 'lost';
  return sharedWithoutStore(around) > 0 ? 'shared' : undefined;
}

/** How many of them a folder has that came without a store, as a clone does: nothing is read without one. */
export function sharedWithoutStore(around: Surroundings): number {
  const place = locateStore(around);
  if (place.kind !== 'home' && storeExists(place)) return 0;
  return sharedFilesIn(place.root ?? graphRoot(around));
}

/** How many files of shared memories a folder has. */
export function sharedFilesIn(root: string): number {
  return scanFolder(join(root, SHARED_FOLDER)).size;
}
