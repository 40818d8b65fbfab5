/** Tells an emptied store from a file that is to become one. */
import { realPlace } from '../base/paths';
import { isLogWithoutFile } from '../base/store-at';
import { shownPath } from '../base/text';
import { lookAtFile } from '../db/at-place';
import { StoreDamaged } from '../db/driver-errors';
import { knownAt } from './known-stores';

/**
 * Whether another program emptied the file of a store that was opened on this machine. SQLite would make a new store of it,
 * and wait for each process that still has the old one open.
 */
export function isEmptied(path: string, home: string): boolean {
  const real = realPlace(path);
  const seen = lookAtFile(real);
  return seen?.isEmpty === true && !isLogWithoutFile(real) && knownAt(home, real)?.file === seen.identity;
}

/** @throws SvcError unavailable */
export function requireNotEmptied(path: string, home: string): void {
  if (!isEmptied(path, home)) return;
  throw new StoreDamaged(`${shownPath(path)} is damaged: another program emptied it. To begin a new store, delete it`);
}
