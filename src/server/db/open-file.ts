/** Opens a file as a store. */
import type { SvcError } from '../base/errors';
import type { WhenLeft } from './leaving';
import type { Migration } from './migrate';
import type { Store } from './store';
import { StoreFile } from './store-file';
import type { Identity } from './store-id';

export interface OpenOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  /** Make the file when it is missing. */
  readonly create: boolean;
  /** False where an older schema is refused; it is brought up to date where this is missing. */
  readonly migrates?: boolean | undefined;
  /** How it gets its id. */
  readonly identity?: Identity | undefined;
  /** What keeps it from being written: `path` is a copy then, and this is why. */
  readonly refuseWriting?: SvcError | undefined;
  /** What messages call the file, where that is not its path. */
  readonly shownAs?: string | undefined;
  /** Called once when the file is no longer at its place. Every later caller gets the error that it returns. */
  readonly whenLeft?: WhenLeft | undefined;
}

/**
 * Opens the file, makes it when it is missing, and brings its schema up to date (after a backup).
 * @throws SvcError unavailable when it cannot be opened, is damaged, is another program's, or is newer than us
 */
export function openFile(options: OpenOptions): Promise<Store> {
  return StoreFile.open(options);
}
