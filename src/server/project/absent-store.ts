/** What a folder without a store of its own has nevertheless: a store that was lost, or shared memories that nobody reads. */
import { join } from 'node:path';
import { locateStore, type Surroundings } from '../../store-place/locate';
import { scanFolder } from '../shared/scan-folder';
import { SHARED_FOLDER } from '../shared/shared-memory';
import type { AbsentStore } from './absent-notice';
import { graphRoot } from './graph-root';
import { missingStore } from './lost-store';

export function absentStore(around: Surroundings): AbsentStore | undefined {
  if (missingStore(around) !== undefined) return 'lost';
  return sharedWithoutStore(around) > 0 ? 'shared' : undefined;
}

/** How many of them a folder has where the home store is used, as in a fresh clone: no other store is there to read them. */
export function sharedWithoutStore(around: Surroundings): number {
  return locateStore(around).kind === 'home' ? sharedFilesIn(graphRoot(around)) : 0;
}

/** How many files of shared memories a folder has. */
export function sharedFilesIn(root: string): number {
  return scanFolder(join(root, SHARED_FOLDER)).size;
}
