/** Tells whether an open file is still at its place. */
import { readdirSync, readlinkSync, realpathSync, rmSync, statSync, truncateSync } from 'node:fs';
import { type SvcError, unavailable } from '../base/errors';
import { logOf, unlessInCircle } from '../base/store-at';
import { shownPath } from '../base/text';

/** What one look at a file shows. */
export interface Sight {
  /** Device and inode, which tell the file from another one at the same place. */
  readonly identity: string;
  /** Size and time: another text once something was written to it. */
  readonly content: string;
  readonly isEmpty: boolean;
}

/** The file that stands at a path now, by its device and inode. @returns undefined when there is no file */
export function lookAtFile(path: string): Sight | undefined {
  const stats = unlessInCircle(() => statSync(path, { throwIfNoEntry: false, bigint: true }));
  return (
    stats && {
      identity: `${stats.dev}:${stats.ino}`,
      content: `${stats.size}:${stats.mtimeNs}`,
      isEmpty: stats.size === 0n,
    }
  );
}

export function identityOf(path: string): string | undefined {
  return lookAtFile(path)?.identity;
}

/** The state of an open file: it is `gone`, `another` file is at its place, or its log was deleted. */
export type AtPlace = 'same' | 'gone' | 'another' | 'without its log';

/**
 * The files of an open store by name. SQLite finds its log, and the index of it that all processes share, by the name of
 * the file alone: a process that opens another file at this place would use ours.
 */
export class FilesAtPlace {
  private readonly file: string | undefined;
  private readonly beside: readonly { readonly path: string; readonly identity: string | undefined }[];

  /**
   * @param path of a file that is open
   * @param withLog whether a log that was deleted matters
   */
  constructor(
    private readonly path: string,
    withLog: boolean,
  ) {
    this.file = identityOf(path);
    // Beside the file itself, where the path is a link to it.
    const real = this.file === undefined ? path : realpathSync(path);
    const names = withLog ? [logOf(real), `${real}-shm`] : [];
    this.beside = names.map((name) => ({ path: name, identity: identityOf(name) }));
  }

  get identity(): string | undefined {
    return this.file;
  }

  /** @param seen what the last look at the file showed */
  now(seen: Sight | undefined = lookAtFile(this.path)): AtPlace {
    if (seen === undefined) return 'gone';
    if (seen.identity !== this.file) return 'another';
    return this.beside.every(({ path, identity }) => identity === identityOf(path)) ? 'same' : 'without its log';
  }

  /** Somebody else made a log at its name: what SQLite says of ours may be about that one. */
  isLogReplaced(): boolean {
    return this.beside.some(({ path, identity }) => ![identity, undefined].includes(identityOf(path)));
  }

  /** Called when the log is empty and another file has the name of the old one, so that no process finds the log. */
  removeLog(): void {
    for (const { path, identity } of this.beside) {
      if (identity === undefined || identityOf(path) !== identity) continue;
      try {
        rmSync(path);
      } catch {
        // Not while it is open, on some systems: but there its file cannot be moved away, either.
      }
    }
  }

  /** What stands in it is about what was in the file before: it must not get there any more. */
  dropLog(): void {
    const [log] = this.beside;
    if (log?.identity !== undefined && identityOf(log.path) === log.identity) truncateSync(log.path);
    this.removeLog();
  }

  /** Whether something has been in the log for so long that its writer is not going to bring it into the file. */
  isLogLeft(afterMs: number): boolean {
    const [log] = this.beside;
    const stats = log && unlessInCircle(() => statSync(log.path, { throwIfNoEntry: false }));
    return stats !== undefined && stats.size > 0 && Date.now() - stats.mtimeMs > afterMs;
  }

  /** Where the file is now; undefined when it was deleted, or the system does not tell. */
  whereNow(): string | undefined {
    try {
      for (const name of readdirSync(OPEN_FILES)) {
        const link = `${OPEN_FILES}/${name}`;
        if (identityOf(link) !== this.file) continue;
        const path = readlinkSync(link);
        // The link of a deleted file still leads to it, under a name that nothing has.
        return identityOf(path) === this.file ? path : undefined;
      }
    } catch {
      // Only Linux reports this.
    }
    return undefined;
  }
}

const OPEN_FILES = '/proc/self/fd';

/** Its file is no longer what was opened. */
export function replaced(path: string): SvcError {
  return unavailable(
    `The store ${shownPath(path)} was deleted or replaced while it was open`,
    'Nothing was written. Put the file back, or restart this process',
  );
}
