/** When a person should be offered a backup. */

import type { Surroundings } from '../../store-place/locate';
import { fileOf, storeExists } from '../../store-place/store-place';
import type { SvcError } from '../base/errors';
import { realPlace } from '../base/paths';
import { RowDamaged, StoreDamaged } from '../db/driver-errors';
import { OtherProgram } from '../db/migrate';
import { backupsFor } from './backups';
import { StoreLeft } from './left-store';
import { LogWithoutStore } from './own-log';
import { storeToRestore } from './restore-backup';

/** Whether bringing a backup back mends why a store cannot be used. */
export function isMendedByBackup(problem: unknown): problem is SvcError {
  if (problem instanceof StoreLeft) return problem.isLost;
  if (problem instanceof OtherProgram) return problem.backup !== undefined;
  return problem instanceof StoreDamaged || problem instanceof LogWithoutStore;
}

/** The file is not what was written into it. One forged row is not that: the other memories are as they were. */
export function isDamage(problem: unknown): problem is SvcError {
  return problem instanceof StoreDamaged && !(problem instanceof RowDamaged);
}

/** @returns the path of a store that is not there any more, and of which there are backups */
export function missingStore(around: Surroundings): string | undefined {
  const place = storeToRestore(around);
  if (storeExists(place)) return undefined;
  const path = fileOf(place);
  return backupsFor(around.home, realPlace(path)).length > 0 ? path : undefined;
}
