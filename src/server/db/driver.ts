import sqlite3 from '@vscode/sqlite3';
import { SvcError, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import type { SqlParameters, Writer } from './sql';

/** How long a statement waits for another process's write before it gives up. */
export const BUSY_TIMEOUT_MS = 30_000;
const MAX_CACHED_STATEMENTS = 200;

/**
 * One SQLite connection as promises. The only import of the native module; nothing but `db/` sees this class.
 * Statements are prepared once and kept. Calls on one connection run in the order in which they were made.
 */
export class Connection implements Writer {
  /** Promises, so that two calls at the same time share one statement: one left unfinalised would forbid closing. */
  private readonly statements = new Map<string, Promise<sqlite3.Statement>>();

  private constructor(
    private readonly handle: sqlite3.Database,
    readonly path: string,
  ) {}

  /** @throws SvcError unavailable when the file cannot be opened or is not a database */
  static async open(path: string, mode: 'read-write' | 'create' = 'read-write'): Promise<Connection> {
    const flags = mode === 'create' ? sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE : sqlite3.OPEN_READWRITE;
    const handle = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(path, flags, (error) =>
        error ? reject(asSvcError(error, path)) : resolve(opened),
      );
    });
    handle.serialize();
    handle.configure('busyTimeout', BUSY_TIMEOUT_MS);
    return new Connection(handle, path);
  }

  all<Row>(sql: string, parameters?: SqlParameters): Promise<Row[]> {
    return this.call<Row[]>(sql, (statement, done) => statement.all(bind(parameters), done));
  }

  get<Row>(sql: string, parameters?: SqlParameters): Promise<Row | undefined> {
    return this.all<Row>(sql, parameters).then((rows) => rows[0]);
  }

  run(sql: string, parameters?: SqlParameters): Promise<number> {
    return this.call<number>(sql, (statement, done) =>
      statement.run(bind(parameters), function (this: sqlite3.RunResult, error: Error | null) {
        done(error, this?.changes ?? 0);
      }),
    );
  }

  /** Runs several statements that take no parameters, for schemas. */
  script(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.handle.exec(sql, (error) => (error ? reject(asSvcError(error, this.path)) : resolve()));
    });
  }

  async close(): Promise<void> {
    const all = [...this.statements.values()];
    this.statements.clear();
    await Promise.all(all.map((statement) => statement.then(finalize, () => undefined)));
    await new Promise<void>((resolve, reject) => {
      this.handle.close((error) => (error ? reject(asSvcError(error, this.path)) : resolve()));
    });
  }

  private async call<Result>(
    sql: string,
    start: (statement: sqlite3.Statement, done: (error: Error | null, result: Result) => void) => void,
  ): Promise<Result> {
    const statement = await (this.statements.get(sql) ?? this.prepare(sql));
    return new Promise<Result>((resolve, reject) => {
      start(statement, (error, result) => (error ? reject(asSvcError(error, this.path)) : resolve(result)));
    });
  }

  private prepare(sql: string): Promise<sqlite3.Statement> {
    const [oldest, evicted] = this.statements.entries().next().value ?? [];
    if (this.statements.size >= MAX_CACHED_STATEMENTS && oldest !== undefined && evicted) {
      this.statements.delete(oldest);
      // Behind the calls that have it already.
      void evicted.then(finalize, () => undefined);
    }
    const preparing = new Promise<sqlite3.Statement>((resolve, reject) => {
      const prepared: sqlite3.Statement = this.handle.prepare(sql, (error: Error | null) =>
        error ? reject(asSvcError(error, this.path)) : resolve(prepared),
      );
    });
    this.statements.set(sql, preparing);
    preparing.catch(() => {
      if (this.statements.get(sql) === preparing) this.statements.delete(sql);
    });
    return preparing;
  }
}

function finalize(statement: sqlite3.Statement): Promise<void> {
  return new Promise((resolve) => statement.finalize(() => resolve()));
}

function bind(parameters: SqlParameters = {}): Record<string, unknown> {
  const bound: Record<string, unknown> = {};
  for (const name in parameters) bound[`$${name}`] = parameters[name];
  return bound;
}

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

/** The driver's own words never reach a caller: each of its codes that a user can cause has a sentence of ours. */
function asSvcError(error: Error & { code?: string }, path: string): Error {
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
      return unavailable(
        `There is no space left on the disk that holds ${place}`,
        'Nothing was written. Free some space and try again',
      );
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return unavailable(
        `${place} is damaged or is not a SQLite database`,
        'Nothing was changed. Move it away or restore a backup, or set SVC_MEMORY_DB to another file; "svc-memory doctor" tells more',
      );
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
