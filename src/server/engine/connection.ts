/** One connection to a database of a libSQL server, over a WebSocket. The only import of its client. */
import {
  type Batch,
  BatchCond,
  ClientError,
  ResponseError,
  type Row,
  type Stream,
  WsClient,
} from '@libsql/hrana-client';
import { WebSocket } from 'ws';
import { type SvcError, unavailable } from '../base/errors';
import { asSvcError, type DriverError } from '../db/driver-errors';
import type { SqlParameters, SqlValue, Statement } from '../db/sql';
import type { Engine } from './address';
import { notLetIn, refusedBySocket } from './errors';

/** A database of an engine. */
export interface EngineDatabase {
  readonly engine: Engine;
  readonly name: string;
}

/** The engine did not answer, or went away in the middle. What it had begun and not committed is taken back by itself. */
export class ConnectionLost extends Error {}

/** How long a connection may take to come about, and a statement to be answered: the engine ends any that takes longer. */
const CONNECT_LIMIT_MS = 5_000;
const ANSWER_LIMIT_MS = 35_000;

/** A connection of the engine: statements run one after another, in the order in which they were given. */
export class EngineConnection {
  private readonly stream: Stream;

  private constructor(
    private readonly client: WsClient,
    private readonly database: EngineDatabase,
  ) {
    this.stream = client.openStream();
  }

  /** @throws ConnectionLost, SvcError unavailable where the engine, or its certificate, is not to be asked again */
  static async open(database: EngineDatabase): Promise<EngineConnection> {
    const { engine, name } = database;
    const socket = new WebSocket(engine.socket, ['hrana3', 'hrana2'], {
      // The engine knows its databases by the first label of the host that is asked for.
      headers: { host: `${name}.${engine.host}` },
      handshakeTimeout: CONNECT_LIMIT_MS,
      perMessageDeflate: false,
    });
    let refused: SvcError | undefined;
    socket.on('error', ({ code }: Error & { code?: string }) => {
      refused ??= refusedBySocket(database, code);
    });
    // What stands in front of the engine may ask for the token, too.
    socket.on('unexpected-response', (_, { statusCode }) => {
      if (statusCode === 401 || statusCode === 403) refused = notLetIn(database);
      socket.terminate();
    });
    // The client of the package is made for any socket; it names the type of one.
    const client = new WsClient(socket as unknown as ConstructorParameters<typeof WsClient>[0], engine.token);
    const connection = new EngineConnection(client, database);
    try {
      await connection.answered(client.getVersion(), CONNECT_LIMIT_MS);
    } catch (error) {
      throw refused ?? error;
    }
    return connection;
  }

  get isLost(): boolean {
    return this.client.closed || this.stream.closed;
  }

  async all<RowType>(sql: string, parameters: SqlParameters = {}): Promise<RowType[]> {
    const { rows } = await this.answered(this.stream.query([sql, bound(parameters)]));
    return rows.map((row: Row) => ({ ...row })) as RowType[];
  }

  async run(sql: string, parameters: SqlParameters = {}): Promise<number> {
    return (await this.answered(this.stream.run([sql, bound(parameters)]))).affectedRowCount;
  }

  /** In one round trip; none after one that fails. @returns how many rows each changed */
  async batch(statements: readonly Statement[]): Promise<number[]> {
    const batch: Batch = this.stream.batch();
    let before: ReturnType<Batch['step']> | undefined;
    const changed = statements.map(({ sql, parameters = {} }) => {
      const step = batch.step();
      if (before) step.condition(BatchCond.ok(before));
      before = step;
      return step.run([sql, bound(parameters)]);
    });
    // One that fails is told by the first of them; those behind it are not run, and say so with undefined.
    for (const each of changed) each.catch(() => undefined);
    await this.answered(batch.execute());
    return this.answered(Promise.all(changed.map(async (each) => (await each)?.affectedRowCount ?? 0)));
  }

  /** Several statements without parameters. */
  async script(sql: string): Promise<void> {
    await this.answered(this.stream.sequence(sql));
  }

  close(): void {
    this.client.close();
  }

  /** The errors of the client as ours. */
  private async answered<Result>(result: Promise<Result>, limitMs = ANSWER_LIMIT_MS): Promise<Result> {
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(() => {
        this.client.close();
        reject(new ConnectionLost('no answer'));
      }, limitMs);
    });
    try {
      return await Promise.race([result, late]);
    } catch (error) {
      throw this.told(error);
    } finally {
      clearTimeout(limit);
    }
  }

  private told(error: unknown): unknown {
    const { name } = this.database;
    if (!(error instanceof ClientError)) return error;
    if (!(error instanceof ResponseError)) {
      this.client.close();
      return new ConnectionLost(error.message);
    }
    const { code = '' } = error;
    if (code.startsWith('AUTH_')) return notLetIn(this.database);
    if (code === 'BLOCKED') {
      return unavailable(
        `The project ${name} is blocked in the engine just now`,
        'Nothing was written. Try again later',
      );
    }
    if (code === 'TRANSACTION_TIMEOUT' || code === 'STREAM_EXPIRED') {
      return unavailable(
        'The engine ended a transaction that took too long',
        'Nothing was written. Write less at once',
      );
    }
    if (DAMAGE.has(code)) {
      return unavailable(
        `The database of the project ${name} is damaged`,
        'Nothing was changed. The operator of the server has to restore it: docs/team.md says how',
      );
    }
    return asSvcError(Object.assign(new Error(error.message), { code }) satisfies DriverError, `the project ${name}`);
  }
}

const DAMAGE = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/**
 * Whole numbers as such: the client sends a number as a real, which the full-text index ignores as a bound. Texts without
 * halves of characters: the engine takes them for broken JSON and hangs up, and a file has U+FFFD in their place, too.
 */
function bound(parameters: SqlParameters): Record<string, Exclude<SqlValue, number> | number | bigint> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (typeof value === 'string') return [name, value.toWellFormed()];
      return [name, typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value];
    }),
  );
}
