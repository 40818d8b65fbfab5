/** What happens to an open file that is no longer at its place. */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import type { AtPlace, FilesAtPlace } from './at-place';
import type { ContentMark } from './content-mark';
import { copyInto, type Target } from './copy-into';
import type { Writer } from './sql';
import { emptyLog } from './store-log';

/** A file that is no longer at its place waits this long for readers that keep its log from being emptied. */
const LEAVING_PATIENCE_MS = 2_000;
/** A log that was deleted is looked at again after this. */
const LOG_GONE_FOR_MS = 1_000;
/** Where nothing of it could be kept elsewhere (no space, say), that is tried again. */
const AGAIN_AFTER_MS = 5_000;

/** A file that is open, and no longer at its place. */
export interface LeftFile {
  readonly how: Exclude<AtPlace, 'same'> | 'written over';
  /** Tells the file from every other one (`identityOf`). */
  readonly identity: string;
  /** Where it is now; undefined when it was deleted, or the system does not tell. */
  readonly now: string | undefined;
  /** All of it is in the file; else some stands in its log alone. */
  readonly whole: boolean;
  copyInto(target: Target): Promise<void>;
}

/** Saves the contents of the file. @returns the error for every later caller */
export type WhenLeft = (left: LeftFile) => Promise<SvcError>;

export interface OpenFile {
  readonly path: string;
  readonly files: FilesAtPlace;
  readonly mark: ContentMark | undefined;
  readonly writer: Writer;
}

/** What is done with an open file that is no longer at its place. */
export class Leaving {
  private again = 0;
  private failure: SvcError | undefined;

  constructor(
    private readonly file: OpenFile,
    private readonly whenLeft: WhenLeft,
  ) {}

  /**
   * Called while this process does not write.
   * @returns what to tell; undefined while the file is at its place
   * @throws SvcError unavailable when the contents cannot be saved: they stay readable, and the next call tries again
   */
  async leaveIfGone(): Promise<SvcError | undefined> {
    const { files } = this.file;
    const how = await this.whatBecameOfIt();
    if (how === 'same' || files.identity === undefined) return undefined;
    if (this.failure && performance.now() < this.again) throw this.failure;
    this.again = performance.now() + AGAIN_AFTER_MS;
    try {
      return await this.leave(how, files.identity);
    } catch (error) {
      this.failure = notKept(this.file.path, error);
      throw this.failure;
    }
  }

  private async whatBecameOfIt(): Promise<LeftFile['how'] | 'same'> {
    const { files, mark } = this.file;
    let at = files.now();
    if (at === 'without its log') {
      // A whole folder is taken away file by file: as long as this one is open, nothing of it is lost.
      await delay(LOG_GONE_FOR_MS);
      at = files.now();
    }
    const mayBeWrittenOver = at === 'same' || at === 'without its log';
    return mayBeWrittenOver && (await mark?.isWrittenOver()) ? 'written over' : at;
  }

  private async leave(how: LeftFile['how'], identity: string): Promise<SvcError> {
    const { files, writer } = this.file;
    // What SQLite says of a log may be about another one, once somebody has made it.
    const isOurs = how !== 'written over' && !files.isLogReplaced();
    const whole = isOurs && (await emptyLog(writer, LEAVING_PATIENCE_MS));
    if (how === 'written over') files.dropLog();
    else if (whole && how !== 'without its log') files.removeLog();
    return this.whenLeft({
      ...{ how, identity, whole, now: files.whereNow() },
      copyInto: (target) => copyInto(writer, target),
    });
  }
}

function notKept(path: string, error: unknown): SvcError {
  const why = error instanceof SvcError ? error.said : String(error);
  return unavailable(
    `The store ${shownPath(path)} was deleted or replaced while it was open, and its contents could not be saved elsewhere. ${why}`,
    'Nothing is lost while this process runs: its contents can still be read, and svc-memory keeps trying to save them',
  );
}
