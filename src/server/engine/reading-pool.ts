/** The connections of a store that only read. */
import { setTimeout as delay } from 'node:timers/promises';
import { TookTooLong } from '../db/driver-errors';
import type { SqlParameters } from '../db/sql';
import { ConnectionLost, EngineConnection, type EngineDatabase } from './connection';
import { engineGone } from './errors';

/** How many may read at once; the engine keeps a thread for each. */
const MOST = 4;
/** An engine that is started again is waited for so long. */
const PATIENCE_MS = 10_000;
const AGAIN_AFTER_MS = 100;

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

  constructor(private readonly database: EngineDatabase) {}

  /** @throws SvcError unavailable where the engine does not come back, or the read was interrupted */
  async all<Row>(sql: string, parameters: SqlParameters, owner?: unknown): Promise<Row[]> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.once<Row>(sql, parameters, owner);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        if (performance.now() > until) throw engineGone(this.database);
        await delay(AGAIN_AFTER_MS * (1 + Math.random()));
      }
    }
  }

  /** Ends what is read for this owner. A connection has no other end than being closed. */
  interrupt(owner: unknown): void {
    for (const read of this.running) if (read.owner === owner) end(read);
  }

  interruptAll(): void {
    for (const read of this.running) end(read);
  }

  close(): void {
    for (const connection of this.idle.splice(0)) connection.close();
    this.interruptAll();
  }

  private async once<Row>(sql: string, parameters: SqlParameters, owner: unknown): Promise<Row[]> {
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
    if (this.taken >= MOST) await new Promise<void>((resolve) => this.waiting.push(resolve));
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
    if (!connection.isLost) this.idle.push(connection);
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
