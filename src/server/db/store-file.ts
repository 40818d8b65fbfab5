/** An open database: its writer queue, its reader and its log. */
import type { SvcError } from '../base/errors';
import { shownPath } from '../base/text';
import { FilesAtPlace, lookAtFile, replaced } from './at-place';
import { ContentMark } from './content-mark';
import { removeCopiesBeside } from './copies-beside';
import { copyInto, type Target } from './copy-into';
import { Connection, MAX_READ_BYTES } from './driver';
import { TookTooLong } from './driver-errors';
import { integrityProblems } from './integrity';
import { layOver, readingOn } from './lay-over';
import { Leaving } from './leaving';
import { OPENING_LIMIT_MS } from './look-at-rest';
import { migrate, refuseNewer } from './migrate';
import type { OpenOptions } from './open-file';
import { forgetOpen, noteOpen } from './open-here';
import type { Reader, SqlParameters, Writer } from './sql';
import type { Layer, Store } from './store';
import { giveId, type IdTable, readId } from './store-id';
import { bringIntoFile, emptyLog, writeAnew } from './store-log';
import { dataVersion } from './watch';

const PAGE_CACHE_KIB = 8_000;
/** After a write, until the file holds it without its log. */
const SETTLE_AFTER_MS = 1_000;
/**
 * Each call looks after the file by itself. A watch of the file system would tell of each write as well, at a cost that
 * every write has, and nothing of folders above that are moved.
 */
const LOOK_EVERY_MS = 1_000;
/** A purge waits this long for other processes to leave the write-ahead log, then the erase stays pending. */
const ERASE_PATIENCE_MS = 5_000;
const INTERRUPT_EVERY_MS = 20;

/**
 * One SQLite file that any number of processes use at once: write-ahead log, one writing connection whose
 * transactions queue up, one reading connection that never sees half a transaction.
 */
export class StoreFile implements Store {
  readonly hasTemporaryTables = true;
  readonly keepsDeleted = false;
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;
  private settling: NodeJS.Timeout | undefined;
  /** Set once reading has been ended. */
  private ending: NodeJS.Timeout | undefined;
  private readonly snapshots = new Set<Connection>();
  private looking: NodeJS.Timeout | undefined;
  private gone: SvcError | undefined;
  private layer: Layer | undefined;
  private readonly mark: ContentMark | undefined;
  private readonly leaving: Leaving | undefined;

  private constructor(
    readonly path: string,
    private readonly writer: Connection,
    private readonly reader: Connection,
    private readonly version: number,
    private readonly files: FilesAtPlace,
    readonly refuseWriting: SvcError | undefined,
    whenLeft: OpenOptions['whenLeft'],
    table: IdTable | undefined,
  ) {
    if (table && whenLeft) this.mark = new ContentMark(path, table);
    if (whenLeft) this.leaving = new Leaving({ path, files, mark: this.mark, writer }, whenLeft);
    if (!refuseWriting && files.identity !== undefined) noteOpen(files.identity);
  }

  get left(): SvcError | undefined {
    return this.gone;
  }

  get layers(): readonly string[] {
    return this.layer ? ['main', this.layer.name] : ['main'];
  }

  async layOver(layer: Layer): Promise<void> {
    if (this.layer) return;
    await layOver(this.reading(), layer, PAGE_CACHE_KIB);
    this.layer = layer;
  }

  /** @throws SvcError as `openFile` */
  static async open(options: OpenOptions): Promise<StoreFile> {
    const { path, migrations, create, migrates, identity, refuseWriting, shownAs, whenLeft } = options;
    const writer = await Connection.open(path, create ? 'create' : 'read-write', { shownAs });
    let reader: Connection | undefined;
    let store: StoreFile | undefined;
    // A copy is of a file that may have been made to keep its reader busy.
    const limit = refuseWriting && setTimeout(() => writer.interrupt(), OPENING_LIMIT_MS);
    try {
      await writer.script('PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL');
      await migrate(writer, migrations, { identity, backUp: !refuseWriting, upgrades: migrates });
      await writer.script(`PRAGMA foreign_keys = ON; PRAGMA cache_size = -${PAGE_CACHE_KIB}`);
      reader = await Connection.open(path, 'read-write', { maxValueBytes: MAX_READ_BYTES, shownAs });
      await reader.script(`PRAGMA query_only = ON; PRAGMA cache_size = -${PAGE_CACHE_KIB};`);
      const files = new FilesAtPlace(path, whenLeft !== undefined);
      store = new StoreFile(path, writer, reader, migrations.length, files, refuseWriting, whenLeft, identity?.table);
      // Of a version that gave no ids.
      if (identity && !refuseWriting && (await store.id(identity.table)) === undefined) {
        await store.transact((sql) => giveId(sql, identity));
      }
      // What a process that was killed left in the log, and a new file's first pages.
      if (!refuseWriting) await store.settle();
      return store.watched();
    } catch (error) {
      if (store) await store.closeFiles();
      else {
        await reader?.close();
        await writer.close();
      }
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }

  async all<Row>(sql: string, parameters?: SqlParameters): Promise<Row[]> {
    return this.reading().all<Row>(sql, parameters);
  }

  async get<Row>(sql: string, parameters?: SqlParameters): Promise<Row | undefined> {
    return this.reading().get<Row>(sql, parameters);
  }

  /** Writing transactions of this process stand in a queue; reading, on its own connection, never sees half of one. */
  transact<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    return this.exclusively(async () => {
      if (this.refuseWriting) throw this.refuseWriting;
      if (this.gone) throw this.gone;
      try {
        await this.begin();
        // A newer program may have migrated the file while this process ran on.
        await refuseNewer(this.writer, this.version);
        await this.mark?.begin(this.writer);
        const result = await work(this.writer);
        await this.mark?.count(this.writer);
        await this.writer.run('COMMIT');
        this.mark?.committed();
        this.settleSoon();
        return result;
      } catch (error) {
        // A failed COMMIT, a full disk or an interrupt may have rolled back already; the first error is the one to tell.
        await this.writer.run('ROLLBACK').catch(() => undefined);
        await this.requireAtPlace();
        throw error;
      }
    });
  }

  /**
   * Begins a transaction on the file that was opened. It is looked at only then: while others had their turn, another one
   * may have been put in its place, and nobody would read what is written. Who takes it away for a moment is waited for.
   */
  private async begin(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await this.writer.run('BEGIN IMMEDIATE');
      if (this.isAsLeft({ withLog: true }) || !(await this.isNotOurs())) return;
      if (attempt > 1) throw replaced(this.path);
      await this.writer.run('ROLLBACK');
      await this.requireAtPlace();
    }
  }

  aside<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    return this.exclusively(() => work(this.writer));
  }

  async snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const reader = await this.connect();
    this.snapshots.add(reader);
    try {
      if (this.layer) await layOver(reader, this.layer, PAGE_CACHE_KIB);
      await reader.script('PRAGMA query_only = ON; BEGIN');
      return await work(readingOn(reader, this.layers));
    } finally {
      this.snapshots.delete(reader);
      // Closing ends the transaction too.
      await reader.close();
    }
  }

  async copyInto(target: Target): Promise<void> {
    const source = await this.connect();
    try {
      await copyInto(source, target);
    } finally {
      await source.close();
    }
  }

  /**
   * Takes deleted content out of every file of the store: removes migration backups, empties the write-ahead log, writes
   * the file anew. Its pages were overwritten (secure_delete), but keep what rows were before SQLite moved them.
   * @returns false when others kept the log busy for the whole patience, or hold a backup; then it is to be tried later
   */
  async erase(patienceMs: number = ERASE_PATIENCE_MS): Promise<boolean> {
    if (!(await removeCopiesBeside(this.path))) return false;
    const empty = (): Promise<boolean> => emptyLog(this.writer, patienceMs, (work) => this.exclusively(work));
    return (await empty()) && (await this.exclusively(() => writeAnew(this.writer))) && (await empty());
  }

  id(table: IdTable): Promise<string | undefined> {
    return readId(this, table);
  }

  changes(): Promise<number> {
    return dataVersion(this);
  }

  problems(): Promise<string[]> {
    return integrityProblems(this);
  }

  readingFor(owner: object, signal: AbortSignal): Reader {
    const all: Reader['all'] = async <Row>(sql: string, parameters?: SqlParameters) => {
      signal.throwIfAborted();
      return this.reading().all<Row>(sql, parameters, owner);
    };
    const get = async <Row>(sql: string, parameters?: SqlParameters) => (await all<Row>(sql, parameters))[0];
    return { all, get, layers: this.layers };
  }

  interrupt(owner: object): void {
    this.reader.interrupt(owner);
  }

  endReading(): void {
    // A reader that goes statement by statement is ended at the next.
    this.ending ??= setInterval(() => {
      for (const connection of [this.reader, ...this.snapshots]) connection.interrupt();
    }, INTERRUPT_EVERY_MS).unref();
  }

  /**
   * Writes the log into the file and empties it. Then a copy of the file is a complete store, and no process can apply
   * the log to another file. Parts that active readers hold back follow when those readers may have ended.
   */
  private async settle(): Promise<void> {
    const content = await this.mark?.read(this.writer);
    if (await bringIntoFile(this.writer)) {
      if (content) this.mark?.settled(content);
    } else {
      await this.mark?.begun();
      this.settleSoon();
    }
  }

  private settleSoon(): void {
    if (this.closed) return;
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      // If the file has a problem, the next writer reports it.
      this.exclusively(async () => {
        await this.leaveIfGone();
        if (!this.gone) await this.settle();
      }).catch(() => undefined);
    }, SETTLE_AFTER_MS).unref();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.settling);
    clearInterval(this.ending);
    clearInterval(this.looking);
    await this.queue.catch(() => undefined);
    await this.leaveIfGone().catch(() => undefined);
    // The last one that closes the file does so by itself; others may hold it for days.
    if (this.settling && !this.gone) await this.settle().catch(() => undefined);
    if (!this.gone) await this.closeFiles();
  }

  /**
   * Checks whether the file is still at its place. If it is not, the contents of the log are saved into it or into
   * another file. Then this file is closed, and `left` says where everything is. If saving fails, reads go on.
   * @param withLog also checks the log, which otherwise is checked once a second
   */
  async look({ withLog = false } = {}): Promise<void> {
    if (this.gone || this.closed || !this.leaving) return;
    if (this.isAsLeft({ withLog })) return;
    // The next writer reports why.
    await this.exclusively(() => this.leaveIfGone()).catch(() => undefined);
  }

  /** Whether nothing at all has happened to the file, and to its log: one look at each, as this is asked all the time. */
  private isAsLeft({ withLog }: { readonly withLog: boolean }): boolean {
    const seen = lookAtFile(this.path);
    if (!seen || seen.identity !== this.files.identity || this.mark?.isTouched(seen)) return false;
    return !withLog || this.files.now(seen) === 'same';
  }

  private async isNotOurs(): Promise<boolean> {
    return this.files.now() !== 'same' || ((await this.mark?.isWrittenOver()) ?? false);
  }

  private watched(): this {
    if (!this.leaving) return this;
    this.looking = setInterval(() => {
      void this.look({ withLog: true });
      // Of a process that was killed before it did so itself.
      if (!this.gone && this.files.isLogLeft(2 * SETTLE_AFTER_MS)) this.settleSoon();
    }, LOOK_EVERY_MS).unref();
    return this;
  }

  private connect(): Promise<Connection> {
    const { shownAs } = this.reading();
    return Connection.open(this.path, 'read-write', { maxValueBytes: MAX_READ_BYTES, shownAs });
  }

  private reading(): Connection {
    if (this.gone) throw this.gone;
    if (this.ending) throw new TookTooLong(shownPath(this.reader.shownAs));
    return this.reader;
  }

  /** What is written to a file that was deleted or replaced would never be read again. */
  private async requireAtPlace(): Promise<void> {
    await this.leaveIfGone();
    if (this.gone) throw this.gone;
    // Who leaves a file has just looked.
    if (!this.leaving && this.files.now() !== 'same') throw replaced(this.path);
  }

  /** Called while this process does not write. @throws SvcError unavailable as `Leaving` does */
  private async leaveIfGone(): Promise<void> {
    if (this.gone) return;
    const gone = await this.leaving?.leaveIfGone();
    if (!gone) return;
    clearTimeout(this.settling);
    clearInterval(this.looking);
    this.gone = gone;
    // A file under another name is not to be written by two who know nothing of each other.
    await this.closeFiles();
  }

  private async closeFiles(): Promise<void> {
    if (!this.refuseWriting && this.files.identity !== undefined) forgetOpen(this.files.identity);
    await this.reader.close();
    await this.writer.close();
  }

  private exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}
