import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unavailable } from '../base/errors';
import { cut, oneLine } from '../base/text';
import { BUSY_TIMEOUT_MS, Connection } from './driver';
import { type Migration, migrate, refuseNewer } from './migrate';
import type { Database, Reader, SqlParameters, Writer } from './sql';

const PAGE_CACHE_KIB = 8_000;
/** A purge waits this long for other processes to leave the write-ahead log, then the erase stays pending. */
const ERASE_PATIENCE_MS = 5_000;
const ERASE_RETRY_MS = 50;
/** One attempt to empty the log waits this long: nobody of this process can write meanwhile. */
const TRUNCATE_PATIENCE_MS = 20;

export interface OpenOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  /** Make the file when it is missing. */
  readonly create: boolean;
}

/**
 * One SQLite file that any number of processes use at once: write-ahead log, one writing connection whose
 * transactions queue up, one reading connection that never sees half a transaction.
 */
export class StoreFile implements Database {
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;

  private constructor(
    readonly path: string,
    private readonly writer: Connection,
    private readonly reader: Connection,
    private readonly version: number,
    private readonly identity: string | undefined,
  ) {}

  /**
   * Opens the file, makes it when it is missing, and brings its schema up to date (after a backup).
   * @throws SvcError unavailable when it cannot be opened, is damaged, is another program's, or is newer than us
   */
  static async open({ path, migrations, create }: OpenOptions): Promise<StoreFile> {
    const writer = await Connection.open(path, create ? 'create' : 'read-write');
    let reader: Connection | undefined;
    try {
      await migrate(writer, migrations);
      await writer.script(
        `PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
         PRAGMA cache_size = -${PAGE_CACHE_KIB};`,
      );
      reader = await Connection.open(path);
      await reader.script(`PRAGMA query_only = ON; PRAGMA cache_size = -${PAGE_CACHE_KIB};`);
      return new StoreFile(path, writer, reader, migrations.length, await identityOf(path));
    } catch (error) {
      await reader?.close();
      await writer.close();
      throw error;
    }
  }

  all<Row>(sql: string, parameters?: SqlParameters): Promise<Row[]> {
    return this.reader.all<Row>(sql, parameters);
  }

  get<Row>(sql: string, parameters?: SqlParameters): Promise<Row | undefined> {
    return this.reader.get<Row>(sql, parameters);
  }

  transact<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    return this.exclusively(async () => {
      await this.refuseReplaced();
      await this.writer.run('BEGIN IMMEDIATE');
      try {
        // A newer program may have migrated the file while this process ran on.
        await refuseNewer(this.writer, this.version);
        const result = await work(this.writer);
        await this.writer.run('COMMIT');
        return result;
      } catch (error) {
        // A failed COMMIT, a full disk or an interrupt may have rolled back already; the first error is the one to tell.
        await this.writer.run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const reader = await Connection.open(this.path);
    try {
      await reader.script('PRAGMA query_only = ON; BEGIN');
      return await work(reader);
    } finally {
      // Closing ends the transaction too.
      await reader.close();
    }
  }

  /**
   * Takes deleted content out of every file of the store: the deleting transaction has already overwritten its pages
   * (secure_delete), this empties the write-ahead log and removes migration backups.
   * @returns false when others kept the log busy for the whole patience, or hold a backup; then it is to be tried later
   */
  async erase(patienceMs: number = ERASE_PATIENCE_MS): Promise<boolean> {
    if (!(await removeBackups(this.path))) return false;
    const start = performance.now();
    for (;;) {
      const busy = await this.exclusively(() => truncateLog(this.writer));
      if (!busy) return true;
      if (performance.now() - start >= patienceMs) return false;
      await new Promise((resolve) => setTimeout(resolve, ERASE_RETRY_MS));
    }
  }

  /** Checks every page and index. Returns the first problems found, none when the file is sound. */
  async integrityProblems(): Promise<string[]> {
    const rows = await this.reader.all<{ integrity_check: string }>('PRAGMA integrity_check(20)');
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.queue.catch(() => undefined);
    await this.reader.close();
    await this.writer.close();
  }

  /** A file that was deleted or replaced under us can still be written, but nobody would ever read it again. */
  private async refuseReplaced(): Promise<void> {
    if ((await identityOf(this.path)) === this.identity) return;
    throw unavailable(
      `The store ${cut(oneLine(this.path), 300)} was deleted or replaced while this process had it open`,
      'Nothing was written. Put the file back, or end this process and start it again',
    );
  }

  private exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

/** What tells this file from another one at the same place; undefined when there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** The backups that migrations left beside the store. */
export async function backupsOf(path: string): Promise<string[]> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.backup-`;
  return (await readdir(folder)).filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));
}

/** @returns false where one cannot be removed now: another program has it open, or it is write-protected */
async function removeBackups(path: string): Promise<boolean> {
  try {
    for (const backup of await backupsOf(path)) await rm(backup, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** @returns whether somebody kept the log busy */
async function truncateLog(connection: Reader): Promise<boolean> {
  await connection.all(`PRAGMA busy_timeout = ${TRUNCATE_PATIENCE_MS}`);
  try {
    const row = await connection.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
    return row?.busy !== 0;
  } finally {
    await connection.all(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
