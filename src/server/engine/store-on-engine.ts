/** A store in a libSQL server: its writer queue and its readers. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { timestamp } from '../base/clock';
import type { SvcError } from '../base/errors';
import type { Target } from '../db/copy-into';
import { StoreBusy, TookTooLong } from '../db/driver-errors';
import { integrityProblems } from '../db/integrity';
import { type Migration, refuseNewer } from '../db/migrate';
import type { Reader, SqlParameters, Statement, Writer } from '../db/sql';
import type { Store } from '../db/store';
import { type IdTable, readId } from '../db/store-id';
import { dataVersion } from '../db/watch';
import type { Engine } from './address';
import { ConnectionLost, EngineConnection, type EngineDatabase } from './connection';
import { copyRows, copyTables } from './copy-rows';
import { closedMeanwhile, EngineGone, maybeWritten, notOnEngine } from './errors';
import { openConnection, persist } from './persist';
import { ReadingPool } from './reading-pool';
import { engineVersion, migrateEngine, requireCurrent } from './schema';
import { writingOn } from './writing-on';

/** Others that write, and an engine that is started again, are waited for so long. */
const PATIENCE_MS = 30_000;
/** The engine comes back within it, or what the replica lacks is lost. */
const BEHIND_PATIENCE_MS = 10_000;
/** Enough to connect once more. */
const PATIENCE_BESIDE_REPLICA_MS = 200;
/** Between two attempts, at random up to this: two processes would else meet again and again. */
const AGAIN_WITHIN_MS = 250;
const AGAIN_AFTER_MS = 25;

/** The row in which each process says which of its writes was the last to be kept. */
const MARK = 'last-write:';
const KEEP_MARK = `INSERT INTO mem_flags (name, value) VALUES ($name, $value)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

export interface OpenOnEngine {
  /** Follows the engine, and is read while that is away. */
  readonly replica?: Engine | undefined;
  readonly database: EngineDatabase;
  readonly migrations: readonly Migration[];
}

/**
 * One database of an engine, which several processes use at once. All writes of this process go one at a time: an engine in
 * which many wait to write when their client dies lets nobody write again. Each write keeps a number in the same
 * transaction; who has not heard whether it was kept reads it, so that none is lost and none done twice.
 */
export class StoreOnEngine implements Store {
  readonly refuseWriting = undefined;
  readonly left: SvcError | undefined = undefined;
  readonly layers: readonly string[] = ['main'];
  readonly hasTemporaryTables = false;
  readonly keepsDeleted = true;

  private readonly pool: ReadingPool;
  private readonly follower: ReadingPool | undefined;
  /** The last write of this process that was kept. */
  private kept = 0;
  /** Since when the replica is read. */
  private awaySince: number | undefined;
  private readonly mark = `${MARK}${randomUUID()}`;
  private count = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private writer: EngineConnection | undefined;
  private watcher: EngineConnection | undefined;
  private watchers = 0;
  private waitingSince: number | undefined;
  /** The last write gave up waiting for the engine, and none was taken since. */
  isAway = false;
  private ended = false;
  private closed = false;

  private constructor(
    private readonly database: EngineDatabase,
    private readonly migrations: readonly Migration[],
    replica: Engine | undefined,
  ) {
    this.pool = replica ? new ReadingPool(database, PATIENCE_BESIDE_REPLICA_MS) : new ReadingPool(database);
    this.follower = replica && new ReadingPool({ ...database, engine: replica });
  }

  /** @throws SvcError unavailable when it cannot be reached, is empty, or its schema is not that of this program */
  static async open({ database, migrations, replica }: OpenOnEngine): Promise<StoreOnEngine> {
    const store = new StoreOnEngine(database, migrations, replica);
    try {
      await requireCurrent(store, store.shownAs, migrations);
      void store.replicaProblem();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /**
   * Brings the schema up to date, from nothing as well.
   * @param keep makes a copy of a database with another schema, before it is changed
   * @throws SvcError as `engineVersion`
   */
  static async migrate(
    { database, migrations }: OpenOnEngine,
    ids: IdTable,
    keep: (version: number) => Promise<void>,
  ): Promise<void> {
    await persist(database, async () => {
      const connection = await EngineConnection.open(database);
      const sql = writingOn(connection);
      try {
        const version = await engineVersion(sql, shownAs(database), migrations);
        if (version > 0 && version < migrations.length) await keep(version);
        await connection.run('BEGIN IMMEDIATE');
        await migrateEngine({ ...sql, script: (one) => connection.script(one) }, shownAs(database), migrations, ids);
        await connection.run('COMMIT');
      } finally {
        // What was begun and not committed ends with it.
        connection.close();
      }
    });
  }

  /** How long a write has waited for its turn in the engine, in milliseconds; 0 while none does. */
  get waitedMs(): number {
    return this.waitingSince === undefined ? 0 : performance.now() - this.waitingSince;
  }

  get shownAs(): string {
    return shownAs(this.database);
  }

  /** Writes something, to see whether that is possible. @throws SvcError why it is not */
  async probe(): Promise<void> {
    await this.transact(async () => undefined);
  }

  /** @returns why the replica cannot be read; undefined where it can, and where there is none */
  replicaProblem = async (): Promise<string | undefined> => this.follower?.problem();

  all<Row>(sql: string, parameters: SqlParameters = {}): Promise<Row[]> {
    return this.readFor<Row>(sql, parameters, undefined);
  }

  async get<Row>(sql: string, parameters?: SqlParameters): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }

  transact<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    const asked = performance.now();
    const result = this.queue.then(() => {
      if (this.closed) throw closedMeanwhile(this.database);
      // All that wait at once for an engine that is away wait together, and not one after another.
      return this.inTransaction(work, (this.isAway ? asked : performance.now()) + PATIENCE_MS);
    });
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async inTransaction<Result>(work: (writer: Writer) => Promise<Result>, until: number): Promise<Result> {
    const number = ++this.count;
    /** What was answered by work that may have been kept. */
    let perhaps: { readonly result: Result } | undefined;
    try {
      for (;;) {
        let isOpen = false;
        this.waitingSince ??= performance.now();
        try {
          const connection = await this.connected();
          isOpen = true;
          await connection.run('BEGIN IMMEDIATE');
          this.waitingSince = undefined;
          this.isAway = false;
          // The right to write is given only after an earlier attempt has come to its end.
          if (perhaps && (await this.lastKept(connection)) === number) {
            this.kept = number;
            return perhaps.result;
          }
          await refuseNewer({ get: writingOn(connection).get, shownAs: this.shownAs }, this.migrations.length);
          perhaps = { result: await work(writingOn(connection)) };
          await connection.batch([this.keepMark(number), { sql: 'COMMIT' }]);
          isOpen = false;
          this.kept = number;
          return perhaps.result;
        } catch (error) {
          if (!isWorthAnother(error)) throw error;
          if (performance.now() > until) throw this.givenUp(error, perhaps !== undefined);
        } finally {
          if (isOpen) await this.takeBack();
        }
        await delay(AGAIN_AFTER_MS + Math.random() * AGAIN_WITHIN_MS);
      }
    } finally {
      this.waitingSince = undefined;
    }
  }

  private givenUp(error: unknown, perhapsKept: boolean): unknown {
    if (!(error instanceof ConnectionLost)) return error;
    this.isAway = true;
    return perhapsKept ? maybeWritten(this.database) : new EngineGone(this.database);
  }

  /** The engine may have done so already. */
  private async takeBack(): Promise<void> {
    if (!this.writer?.isLost) await this.writer?.run('ROLLBACK').catch(() => undefined);
  }

  private async connected(): Promise<EngineConnection> {
    if (!this.writer || this.writer.isLost) this.writer = await EngineConnection.open(this.database);
    return this.writer;
  }

  private async lastKept(reader: Pick<EngineConnection | ReadingPool, 'all'>): Promise<number> {
    const [row] = await reader.all<{ value: string }>('SELECT value FROM mem_flags WHERE name = $name', {
      name: this.mark,
    });
    return Number(row?.value.split(' ')[1] ?? 0);
  }

  private keepMark(number: number): Statement {
    return { sql: KEEP_MARK, parameters: { name: this.mark, value: `${timestamp(Date.now())} ${number}` } };
  }

  /** Takes away what processes left that ended. @param before as a timestamp */
  async dropOldMarks(before: string): Promise<void> {
    await this.transact((sql) =>
      sql.run(`DELETE FROM mem_flags WHERE name >= '${MARK}' AND name < 'last-write;' AND value < $before`, { before }),
    );
  }

  aside<Result>(_work: (writer: Writer) => Promise<Result>): Promise<Result> {
    return Promise.reject(notOnEngine('Keeping rows aside', 'Import fewer memories at once'));
  }

  async snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const connection = await openConnection(this.database);
    try {
      await connection.run('BEGIN');
      const { all, get } = writingOn(connection);
      return await work({ all, get, layers: this.layers });
    } catch (error) {
      throw error instanceof ConnectionLost ? new EngineGone(this.database) : error;
    } finally {
      connection.close();
    }
  }

  /**
   * Copies all rows into another database, which nobody else writes.
   * @throws SvcError unavailable
   */
  async copyTo(target: StoreOnEngine): Promise<void> {
    const connection = await openConnection(this.database);
    try {
      // With the right to write, nobody else is in the middle of a write.
      await connection.run('BEGIN IMMEDIATE');
      await copyTables(writingOn(connection), (write) => target.transact(write));
    } finally {
      connection.close();
    }
  }

  async copyInto(target: Target): Promise<void> {
    await this.snapshot((reader) => copyRows(reader, target, this.migrations));
  }

  /** What was deleted stays in the log of the engine, in its snapshots and in those who follow it. */
  async erase(): Promise<boolean> {
    return false;
  }

  id(table: IdTable): Promise<string | undefined> {
    return readId(this, table);
  }

  /** A connection counts by itself: each further one begins above all that the one before has said. */
  async changes(): Promise<number> {
    if (!this.watcher || this.watcher.isLost) {
      this.watcher = await openConnection(this.database);
      this.watchers++;
    }
    return this.watchers * 2 ** 32 + (await dataVersion(writingOn(this.watcher)));
  }

  problems(): Promise<string[]> {
    return integrityProblems(this);
  }

  async look(): Promise<void> {}

  layOver(): Promise<void> {
    return Promise.reject(notOnEngine('Reading a file together with the store', 'Share memories through Git, or here'));
  }

  readingFor(owner: object, signal: AbortSignal): Reader {
    const all: Reader['all'] = async <Row>(sql: string, parameters: SqlParameters = {}) => {
      signal.throwIfAborted();
      return this.readFor<Row>(sql, parameters, owner);
    };
    const get = async <Row>(sql: string, parameters?: SqlParameters) => (await all<Row>(sql, parameters))[0];
    return { all, get, layers: this.layers };
  }

  interrupt(owner: object): void {
    this.pool.interrupt(owner);
    this.follower?.interrupt(owner);
  }

  endReading(): void {
    this.ended = true;
    this.pool.interruptAll();
    this.follower?.interruptAll();
  }

  async close(): Promise<void> {
    await this.queue.catch(() => undefined);
    this.closed = true;
    this.pool.close();
    this.follower?.close();
    this.writer?.close();
    this.watcher?.close();
  }

  private async readFor<Row>(sql: string, parameters: SqlParameters, owner: unknown): Promise<Row[]> {
    if (this.closed) throw closedMeanwhile(this.database);
    if (this.ended) throw new TookTooLong(this.shownAs);
    try {
      const rows = await this.pool.all<Row>(sql, parameters, owner);
      this.awaySince = undefined;
      return rows;
    } catch (error) {
      if (!this.follower || !(error instanceof EngineGone)) throw error;
      this.awaySince ??= performance.now();
      // A replica that has not all that this process has written would take back what somebody was told.
      const isBehind = this.kept > 0 && (await this.lastKept(this.follower)) < this.kept;
      if (isBehind && performance.now() - this.awaySince < BEHIND_PATIENCE_MS) throw error;
      return await this.follower.all<Row>(sql, parameters, owner);
    }
  }
}

function shownAs({ name }: EngineDatabase): string {
  return `the project ${name}`;
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof ConnectionLost || error instanceof StoreBusy;
}
