/** Turns the errors of SQLite into errors for callers. */
import { SvcError, unavailable } from '../base/errors';
import { shownPath } from '../base/text';

/** How long a statement waits for another process's write before it gives up. */
export const BUSY_TIMEOUT_MS = 30_000;

/** What a driver fails with: `code` is SQLite's own name of the failure, such as SQLITE_BUSY. */
export type DriverError = Error & { code?: string | undefined };

/** Another connection holds a lock that this one needs. */
export class StoreBusy extends SvcError {
  constructor(place: string) {
    super(
      'unavailable',
      `Another process has been writing to ${place} for more than ${BUSY_TIMEOUT_MS / 1000} seconds`,
      'Nothing was written. Try again, or end the process that holds the store',
    );
  }
}

/** The disk that holds the file is full. */
export class DiskFull extends SvcError {
  constructor(place: string) {
    super(
      'unavailable',
      `There is no space left on the disk that holds ${place}`,
      'Nothing was written. Free some space and try again',
    );
  }
}

/** The file is not what svc-memory wrote. Only another file can bring the memories back. */
export class StoreDamaged extends SvcError {
  /** @param isNoDatabase it does not even begin as one */
  constructor(
    problem: string,
    readonly isNoDatabase = false,
  ) {
    super('unavailable', problem, `${BACKUPS_OR_ANOTHER}; "svc-memory doctor" tells more`);
  }

  get remedyOfDoctor(): string {
    return BACKUPS_OR_ANOTHER;
  }
}

/** Some rows are not what svc-memory wrote: what does not read them goes on. */
export class RowDamaged extends StoreDamaged {}

const BACKUPS_OR_ANOTHER =
  'Nothing was changed. "svc-memory restore-backup --list" shows the backups that can take its place, or set SVC_MEMORY_DB to another file';

/** A statement was ended because its caller waits no longer. */
export class TookTooLong extends SvcError {
  constructor(place: string) {
    super(
      'unavailable',
      `Reading ${place} took too long and was ended`,
      'Nothing was changed. Ask for less, or check the file with "svc-memory doctor"',
    );
  }
}

/**
 * Our statements parse JSON that we wrote, and the search index keeps its ranking and its version in a row of its own.
 * SQLite reports errors in these only when another program wrote them.
 */
const FORGED_ROW = /malformed JSON|no such function|fts5/;

/** The driver's own words never reach a caller: each of its codes that a user can cause has a sentence of ours. */
export function asSvcError(error: DriverError, path: string): Error {
  const place = shownPath(path);
  switch (primaryCode(error.code)) {
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return new StoreBusy(place);
    case 'SQLITE_CANTOPEN':
      return unavailable(
        `The store ${place} cannot be opened`,
        'Check that its folder exists and may be written, or set SVC_MEMORY_DB to another file',
      );
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
      return unavailable(
        `The store ${place} may not be written`,
        'Give this user the right to write the file and its folder, or set SVC_MEMORY_DB to another file',
      );
    case 'SQLITE_FULL':
      return new DiskFull(place);
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return new StoreDamaged(
        `${place} is damaged or is not a SQLite database`,
        primaryCode(error.code) === 'SQLITE_NOTADB',
      );
    case 'SQLITE_ERROR':
      if (!FORGED_ROW.test(error.message)) return error;
      return new RowDamaged(`${place} holds a row that svc-memory did not write`);
    case 'SQLITE_TOOBIG':
      return new RowDamaged(`${place} holds a text that is longer than any that svc-memory writes`);
    case 'SQLITE_NOMEM':
      // A size in a damaged search index may be any number.
      return unavailable(
        `Reading ${place} would take more memory than there is`,
        'Nothing was changed. Check the file with "svc-memory doctor", or free some memory and try again',
      );
    case 'SQLITE_MISUSE':
      return unavailable(`${place} was closed in the meantime`, 'Nothing was changed. Try again');
    case 'SQLITE_INTERRUPT':
      return new TookTooLong(place);
    case 'SQLITE_IOERR':
      return unavailable(`${place} cannot be read or written just now`, 'Check the disk and try again');
    default:
      return error;
  }
}

/** "SQLITE_IOERR_FSYNC" → "SQLITE_IOERR": the extended codes mean the same to a caller. */
function primaryCode(code: string | undefined): string | undefined {
  return code?.split('_').slice(0, 2).join('_');
}
