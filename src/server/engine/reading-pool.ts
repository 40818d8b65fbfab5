/** The connections of a store that only read. */
import { SvcError } from '../base/errors';
import { TookTooLong } from '../db/driver-errors';
import type { SqlParameters } from '../db/sql';
import { EngineConnection, type EngineDatabase } from './connection';
import { closedMeanwhile } from './errors';
import { persist } from './persist';

/** How many may read at once; the engine keeps a thread for each. */
const MOST = 4;

interface Read {
  readonly owner: unknown;
  readonly connection: EngineConnection;
  ended: boolean;
}

/** Hands out connections for one statement each. Where one is lost, another one asks again: a read changes nothing. */
export class ReadingPool {
  private readonly idle: EngineConnection[] = [];
  private readonly running = new Set<Read>();
  private readonly waiting: (() => void)[] = [];
  private taken = 0;
  private closed = false;

  /** @param patienceMs how long an engine that does not answer is waited for */
  constructor(
    private readonly database: EngineDatabase,
    private readonly patienceMs?: number,
  ) {}

  /** @throws EngineGone where the engine does not come back, SvcError unavailable where the read was interrupted */
  all<Row>(sql: string, parameters: SqlParameters, owner?: unknown): Promise<Row[]> {
    return persist(this.database, () => this.once<Row>(sql, parameters, owner), this.patienceMs);
  }

  /**
   * Asks once. A replica follows a database from the first time that it is asked for it.
   * @returns why it cannot be read
   */
  async problem(): Promise<string | undefined> {
    const work = (): Promise<unknown> => this.once('SELECT 1', {}, undefined);
    return persist(this.database, work, 0).then(
      () => undefined,
      (error: unknown) => (error instanceof SvcError ? error.problem : String(error)),
    );
  }

  /** Ends what is read for this owner. A connection has no other end than being closed. */
  interrupt(owner: unknown): void {
    for (const read of this.running) if (read.owner === owner) end(read);
  }

  interruptAll(): void {
    for (const read of this.running) end(read);
  }

  close(): void {
    this.closed = true;
    for (const connection of this.idle.splice(0)) connection.close();
    this.interruptAll();
  }

  private async once<Row>(sql: string, parameters: SqlParameters, owner: unknown): Promise<Row[]> {
    if (this.closed) throw closedMeanwhile(this.database);
    const connection = await this.take();
    const read: Read = { owner, connection, ended: false };
    this.running.add(read);
    try {
      return await connection.all<Row>(sql, parameters);
    } catch (error) {
      throw read.ended ? new TookTooLong(`the project ${this.database.name}`) : error;
    } finally {
      this.running.delete(read);
      this.giveBack(connection);
    }
  }

  private async take(): Promise<EngineConnection> {
    if (this.taken >= MOST) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      if (this.closed) {
        this.waiting.shift()?.();
        throw closedMeanwhile(this.database);
      }
    }
    this.taken++;
    try {
      for (let kept = this.idle.pop(); kept; kept = this.idle.pop()) if (!kept.isLost) return kept;
      return await EngineConnection.open(this.database);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  private giveBack(connection: EngineConnection): void {
    if (this.closed) connection.close();
    else if (!connection.isLost) this.idle.push(connection);
    this.free();
  }

  private free(): void {
    this.taken--;
    this.waiting.shift()?.();
  }
}

function end(read: Read): void {
  read.ended = true;
  read.connection.close();
}
