/** Tells an emptied store from a file that is to become one. */
import { statSync } from 'node:fs';
import { realPlace } from '../base/paths';
import { isLogWithoutFile, unlessInCircle } from '../base/store-at';
import { shownPath } from '../base/text';
import { identityOf } from '../db/at-place';
import { StoreDamaged } from '../db/driver-errors';
import { knownAt } from './known-stores';

/**
 * Whether another program emptied the file of a store that was opened on this machine. SQLite would make a new store of it,
 * and wait for each process that still has the old one open.
 */
export function isEmptied(path: string, home: string): boolean {
  const real = realPlace(path);
  const size = unlessInCircle(() => statSync(real, { throwIfNoEntry: false }))?.size;
  if (size !== 0 || isLogWithoutFile(real)) return false;
  const { file } = knownAt(home, real) ?? {};
  return file !== undefined && file === identityOf(real);
}

export function storeEmptied(path: string): StoreDamaged {
  return new StoreDamaged(`${shownPath(path)} is damaged: another program emptied it. To begin a new store, delete it`);
}
