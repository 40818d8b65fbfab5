/** The list of the database files that this process has open. */
import { identityOf } from './at-place';

/**
 * The files that this process has open in place, and how often. Reading one of them past SQLite would take its locks away:
 * the system drops all locks of a process on a file when the process closes it anywhere.
 */
const openHere = new Map<string, number>();

/** @param identity of the file (`identityOf`) */
export function noteOpen(identity: string): void {
  openHere.set(identity, (openHere.get(identity) ?? 0) + 1);
}

export function forgetOpen(identity: string): void {
  const count = (openHere.get(identity) ?? 1) - 1;
  if (count > 0) openHere.set(identity, count);
  else openHere.delete(identity);
}

/** Whether this process has the file open, in place. */
export function isOpenHere(path: string): boolean {
  const identity = identityOf(path);
  return identity !== undefined && openHere.has(identity);
}
