/** What everything above `db/` knows of an open store: a database that is also closed, copied, checked and watched. */
import type { SvcError } from '../base/errors';
import type { Target } from './copy-into';
import type { Database, Reader } from './sql';
import type { IdTable } from './store-id';

/** Another file with the same tables, which is read together with the store. */
export interface Layer {
  readonly path: string;
  /** What statements call it where they name it: `<name>.<table>`. */
  readonly name: string;
  /** Statements that make temporary views on both, called like the tables. */
  readonly views: string;
}

/** An open store of any kind. Opened with `openFile`. */
export interface Store extends Database {
  /** Why nothing can be written; undefined where it can. */
  readonly refuseWriting: SvcError | undefined;
  /** What became of the store, once it is no longer at its place: nothing can be read or written any more. */
  readonly left: SvcError | undefined;
  /** Checks whether it is still at its place, and saves what was written last if it is not. @param withLog looks closely */
  look(how?: { readonly withLog?: boolean }): Promise<void>;
  /** The id that it keeps in this table; undefined for one of a version that gave none. */
  id(table: IdTable): Promise<string | undefined>;
  /**
   * A number that is another one after every commit of any other connection, ours or another process's. It says nothing
   * about other stores, nor about this one opened again.
   */
  changes(): Promise<number>;
  /**
   * Reads another file together with this one from now on, for as long as the store is open: a table without the name of
   * a file is the view on both. What is written goes to the store alone.
   */
  layOver(layer: Layer): Promise<void>;
  /** Checks all of it for damage. Returns the first problems found, none when it is sound. */
  problems(): Promise<string[]>;
  /** Writes all of it into one file, as it is now; others read and write meanwhile. @throws SvcError as `copyInto` */
  copyInto(target: Target): Promise<void>;
  /** Whether deleted content stays where `erase` does not reach. */
  readonly keepsDeleted: boolean;
  /**
   * Takes deleted content out of everything that the store keeps.
   * @param patienceMs how long others are waited for
   * @returns false when others, or a copy, still hold it; then it is to be tried later
   */
  erase(patienceMs?: number): Promise<boolean>;
  /** Reading on behalf of one call, which may be interrupted without ending what others read. */
  readingFor(owner: object, signal: AbortSignal): Reader;
  /** Ends the running reads of this owner. */
  interrupt(owner: object): void;
  /** Ends all running reads, and refuses new ones. */
  endReading(): void;
  close(): Promise<void>;
}
